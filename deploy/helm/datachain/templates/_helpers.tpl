{{- define "datachain.fullname" -}}
{{- if contains "datachain" .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}{{ else }}{{ printf "%s-datachain" .Release.Name | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "datachain.selector" -}}
app.kubernetes.io/name: datachain
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "datachain.metadata" -}}
name: {{ include "datachain.fullname" . }}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "datachain.selector" . | nindent 2 }}
  app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}

{{- define "datachain.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}
