// A register as large ones are: 40 documents in German, Arabic and English over four taxonomies, two of
// which have no roles. Titles have up to 90 characters, documents up to seven places and six purposes.
import {cp, mkdir, readFile, readdir, rm, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import {datachain, here, output} from './datachain.mjs';

const examples = join(here, '../../examples');
const titles = {
  de: 'Verkehrsüberwachungskameras an der Donaudampfschifffahrtsgesellschaftskapitänskreuzung',
  ar: 'كاميرات مراقبة حركة المرور عند تقاطع شارع المطحنة القديمة بجوار المكتبة المركزية الجديدة',
  en: 'Cameras that count traffic where Mill Street meets the avenue beside the central library',
};
const sentences = {
  de: ['Zwei Kameras zählen Fahrzeuge, Fahrräder und Menschen zu Fuß, damit die Ampel rechtzeitig umschaltet.', 'Sie melden Staus an die Verkehrsleitzentrale.', 'Sie zeigen, wo Gehwege fehlen.', 'Sie zählen, wie viele Busse sich verspäten.', 'Sie warnen vor Glätte.', 'Sie helfen, Baustellen zu planen.'],
  ar: ['تعدّ كاميرتان السيارات والدراجات والمشاة لكي تتغيّر إشارات المرور في الوقت المناسب.', 'تبلّغ مركز المرور عن الازدحام.', 'تبيّن أين تنقص الأرصفة.', 'تعدّ الحافلات المتأخرة.', 'تحذّر من الانزلاق.', 'تساعد على تخطيط أعمال الطرق.'],
  en: ['Two cameras count cars, bicycles and people, so that the traffic lights change in time.', 'They tell the control room about congestion.', 'They show where pavements are missing.', 'They count buses that are late.', 'They warn of ice.', 'They help to plan road works.'],
};
const places = {
  de: 'Donaudampfschifffahrtsgesellschaftskapitänsplatz', ar: 'تقاطع شارع المطحنة القديمة', en: 'Crossing of Mill Street and the avenue',
};
const organisations = {de: 'Amt für Straßen- und Brückenbauangelegenheiten', ar: 'دائرة الطرق والجسور', en: 'Roads and Bridges Department'};
export const languages = Object.keys(titles);

// edited writes the files of a directory again, changed.
async function edited(directory, change) {
  for (const file of await readdir(directory, {recursive: true})) {
    if (!file.endsWith('.yaml')) continue;
    const text = await readFile(join(directory, file), 'utf8');
    await writeFile(join(directory, file), change(text));
  }
}

// schemas writes four taxonomies: the samples, with room for six purposes, and copies of them without roles.
async function schemas(into) {
  for (const version of ['sensor/2026-11-15-stable', 'ai/2026-11-15-stable']) {
    await cp(join(examples, 'taxonomies', version), join(into, version), {recursive: true});
    await edited(join(into, version, 'categories'), (text) => text.replace('cardinality: {min: 1, max: 3}', 'cardinality: {min: 1, max: 6}'));
  }
  for (const [type, from] of [['kiosk', 'sensor'], ['service', 'ai']]) {
    await datachain('schema', 'new', type, '--from', `${from}@2026-11-15-stable`, '--schemas', into, '--date', '2026-11-18');
    await edited(join(into, type), (text) => text.replaceAll(/^ *(role|lead): .*\n/gm, '').replaceAll(/, (role|lead): \w+/g, ''));
  }
}

// inLanguage replaces texts of a document that exist in several languages.
const inLanguage = (value, lang, text) => (Array.isArray(value) && value[0]?.locale ? [{locale: lang, value: text}] : value);

// varied writes the register into the output of tests, and returns the flags that serve it. Of eight documents
// the first four are long, one of each taxonomy.
export async function varied() {
  const root = await output('varied'), documents = join(root, 'documents'), sources = join(root, 'schemas');
  await rm(root, {recursive: true, force: true});
  await mkdir(documents, {recursive: true});
  await schemas(sources);
  const samples = await Promise.all(['mill-street-crossing', 'housing-benefit', 'library-visitors', 'library-chat'].map(async (name) => JSON.parse(await readFile(join(examples, 'register', `${name}.json`), 'utf8'))));
  for (let i = 0; i < 40; i++) {
    const lang = languages[i % 3], say = (value) => [{locale: lang, value}], long = Math.floor(i / 4) % 2 === 0;
    const sample = samples[i % 2 + 2 * (Math.floor(i / 8) % 2)], unsorted = i % 4 > 1; // without roles
    const version = unsorted ? sample.schema_version.replace('sensor', 'kiosk').replace('ai@', 'service@').replace('2026-11-15-stable', '2026-11-18-beta') : sample.schema_version;
    const [purpose] = sample.elements;
    const elements = sample.elements.filter((e) => e === purpose || !e.element_id.startsWith('purpose.')).map((e) => ({...e, variables: e.variables?.map((v) => ({...v, value: inLanguage(v.value, lang, /contact|how/.test(v.id) ? 'roads@lindenau.example, 0123 4570' : v.id === 'organisation' ? organisations[lang] : sentences[lang][0])}))}));
    if (long) for (const words of sentences[lang].slice(1)) elements.push({...elements[0], element_instance_id: `more-${elements.length}`, variables: purpose.variables.map((v) => ({...v, value: say(words)}))});
    const {slug, based_on, ...about} = sample.register;
    const register = {
      ...about, slug: `system-${i}`, status: ['in_use', 'trial', 'planned', 'paused', 'retired'][i % 5], since: '2026-03-01', review_by: i % 3 ? '2027-05-01' : '2026-02-01', themes: [say(['Verkehr', 'Licht', 'Bücher'][i % 3])],
      organisation: unsorted && i % 8 > 3 ? undefined : {name: say(organisations[lang])},
      places: Array.from({length: long ? 7 : 1}, (_, n) => ({name: say(`${places[lang]} ${n + 1}`), address: say(`${places[lang]} ${n + 1}, Lindenau`), geometry: {type: 'Point', coordinates: [12.3 + n / 100, 51.3 + i / 100]}})),
      answered: i % 4 ? undefined : {from: '2026-05-01', to: '2026-10-31', asked: 14, answered: 13, days: i, changed: 2},
    };
    await writeFile(join(documents, `${i}.json`), JSON.stringify({...sample, id: `system-${i}`, title: say(long ? titles[lang] : `${titles[lang].slice(0, 30).trim()} ${i}`), description: say(sentences[lang].join(' ')), schema_version: version, elements, register}));
  }
  await writeFile(join(documents, 'register.yaml'), `title: {de: Digitale Systeme der Stadt Lindenau, ar: سجل مدينة ليندناو, en: Systems of Lindenau}
url: https://register.lindenau.example
publisher: {name: {de: Stadt Lindenau, ar: مدينة ليندناو, en: City of Lindenau}, contact: {email: register@lindenau.example, phone: 0123 4500}}
languages: [de, ar, en]
licence: {name: CC BY 4.0, url: "https://creativecommons.org/licenses/by/4.0/"}
`);
  return ['--schemas', sources, '--documents', documents];
}
