{{- define "understudy.image" -}}
{{- .root.Values.images.prefix }}{{ .program }}{{ with .root.Values.images.tag }}:{{ . }}{{ end -}}
{{- end -}}

{{- /* Where a pod that starts after a Service finds it without DNS. */ -}}
{{- define "understudy.address" -}}
$({{ . | upper | replace "-" "_" }}_SERVICE_HOST)
{{- end -}}

{{- /* The rights of our own containers. */ -}}
{{- define "understudy.rights" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
seccompProfile:
  type: RuntimeDefault
readOnlyRootFilesystem: true
allowPrivilegeEscalation: false
capabilities:
  drop: [ALL]
{{- end -}}

{{- /* A variable that a key of the Secret fills. */ -}}
{{- define "understudy.token" -}}
- name: {{ .variable }}
  valueFrom:
    secretKeyRef:
      name: {{ .root.Values.secret | quote }}
      key: {{ .key }}
{{- end -}}
