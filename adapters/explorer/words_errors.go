package explorer

import (
	"net/http"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// errorWords are the words of pages that say what went wrong.
type errorWords struct {
	NotFound, NotFoundAdvice string
	Wrong, WrongAdvice       string
	Limit, LimitAdvice       string
	Failed, FailedAdvice     string
	Unread, UnreadAdvice     string
	TooLarge, TooLargeAdvice string
	Meant, Details, Start    string
	Gone, Instead            string
}

// of returns the title and the advice for a failure. A balancer that tries another server
// does so by the status, so the code says more about the cause.
func (w *errorWords) of(status int, code issue.Code) (title, advice string) {
	switch {
	case code == issue.CodeRateLimited || code == issue.CodeOverloaded:
		return w.Limit, w.LimitAdvice
	case code == issue.CodeUpstreamError || status == http.StatusServiceUnavailable:
		return w.Unread, w.UnreadAdvice
	case code == issue.CodePayloadTooLarge:
		return w.TooLarge, w.TooLargeAdvice
	case status == http.StatusNotFound:
		return w.NotFound, w.NotFoundAdvice
	case status < http.StatusInternalServerError:
		return w.Wrong, w.WrongAdvice
	}
	return w.Failed, w.FailedAdvice
}

// tooLarge says that a document is too large, in one line.
func (w *words) tooLarge(limit int64) string {
	return w.Errors.TooLarge + ". " + w.Fill(w.Errors.TooLargeAdvice, w.Size(limit))
}

var errorsEN = errorWords{
	NotFound: "Page not found", NotFoundAdvice: "Check the address, or start from what is published.",
	Wrong: "The address or the request is not valid", WrongAdvice: "Check the address, or start from what is published.",
	Limit: "Too many requests", LimitAdvice: "Wait a moment, then load the page again.",
	Failed: "The page could not be made", FailedAdvice: "Try again in a moment. If it keeps failing, tell the operator of this server.",
	Unread: "The taxonomy can't be read at the moment", UnreadAdvice: "Try again later. If it keeps failing, tell the operator of this server.",
	TooLarge: "The document is too large", TooLargeAdvice: "The limit is %s. Place fewer elements, or split it into several documents.",
	Meant: "Did you mean", Details: "Details", Start: "See what is published",
	Gone: "The element %s was removed in %s.", Instead: "Use instead",
}

var errorsFR = errorWords{
	NotFound: "Page introuvable", NotFoundAdvice: "Vérifiez l’adresse, ou partez de ce qui est publié.",
	Wrong: "L’adresse ou la requête n’est pas valide", WrongAdvice: "Vérifiez l’adresse, ou partez de ce qui est publié.",
	Limit: "Trop de requêtes", LimitAdvice: "Attendez un instant, puis rechargez la page.",
	Failed: "La page n’a pas pu être préparée", FailedAdvice: "Réessayez dans un instant. Si l’erreur persiste, prévenez l’exploitant de ce serveur.",
	Unread: "La taxonomie est illisible pour le moment", UnreadAdvice: "Réessayez plus tard. Si l’erreur persiste, prévenez l’exploitant de ce serveur.",
	TooLarge: "Le document est trop volumineux", TooLargeAdvice: "La limite est de %s. Placez moins d’éléments, ou répartissez-les sur plusieurs documents.",
	Meant: "Vouliez-vous dire", Details: "Détails", Start: "Voir ce qui est publié",
	Gone: "L’élément %s a été supprimé dans %s.", Instead: "À la place",
}

var errorsES = errorWords{
	NotFound: "Página no encontrada", NotFoundAdvice: "Compruebe la dirección, o empiece por lo que está publicado.",
	Wrong: "La dirección o la petición no es válida", WrongAdvice: "Compruebe la dirección, o empiece por lo que está publicado.",
	Limit: "Demasiadas peticiones", LimitAdvice: "Espere un momento y vuelva a cargar la página.",
	Failed: "No se pudo preparar la página", FailedAdvice: "Inténtelo de nuevo en un momento. Si sigue fallando, avise a quien administra este servidor.",
	Unread: "La taxonomía no se puede leer en este momento", UnreadAdvice: "Inténtelo más tarde. Si sigue fallando, avise a quien administra este servidor.",
	TooLarge: "El documento es demasiado grande", TooLargeAdvice: "El límite es de %s. Coloque menos elementos, o repártalos en varios documentos.",
	Meant: "Quizá quiso decir", Details: "Detalles", Start: "Ver lo que está publicado",
	Gone: "El elemento %s se eliminó en %s.", Instead: "En su lugar",
}
