{{- define "knell.name" -}}
{{- if contains "knell" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-knell" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end }}

{{- define "knell.selector" -}}
app.kubernetes.io/name: knell
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "knell.labels" -}}
{{ include "knell.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{/* Whether the values say how the nodes find their NATS servers. */}}
{{- define "knell.checkCluster" -}}
{{- if and .Values.cluster.enabled (not (hasKey .Values.secrets "KNELL_CLUSTER")) (not (has "KNELL_CLUSTER" .Values.existingSecret.variables)) -}}
{{- fail "cluster.enabled needs KNELL_CLUSTER in secrets, or in existingSecret.variables" -}}
{{- end -}}
{{- if and .Values.existingSecret.variables (not .Values.existingSecret.name) -}}
{{- fail "existingSecret.variables needs existingSecret.name" -}}
{{- end -}}
{{- end }}
