{{- /* Byte for byte what the command writes, since pods are annotated with a hash of it. */ -}}

{{- /* A text, with quotes where the command writes them. */ -}}
{{- define "understudy.scalar" -}}
{{- $plain := regexMatch "^[A-Za-z/]([A-Za-z0-9./_-]|:[A-Za-z0-9])*$" . -}}
{{- if and $plain (not (regexMatch "^(?i:y|n|yes|no|on|off|true|false|null)$" .)) -}}
{{ . }}
{{- else -}}
{{ . | quote }}
{{- end -}}
{{- end -}}

{{- define "understudy.sidecarSettings" -}}
{{- $name := .Values.name -}}
listeners:
- name: {{ include "understudy.scalar" $name }}
  listen: "0.0.0.0:{{ .Values.sidecar.port }}"
  production: "127.0.0.1:{{ .Values.production.port }}"
  debug: {{ $name }}-debug:{{ .Values.production.port }}
  protocol: {{ .Values.production.protocol }}
  order: causal
aggregator:
  url: "http://{{ $name }}-aggregator:9091"
control:
  listen: "0.0.0.0:{{ .Values.sidecar.controlPort }}"
tap:
  health: "0.0.0.0:{{ add .Values.sidecar.controlPort 2 }}"
  lane-java-options: {{ include "understudy.scalar" .Values.sidecar.laneJavaOptions }}
{{ end -}}

{{- define "understudy.aggregatorSettings" -}}
upstreams:
{{- range (include "understudy.upstreams" . | fromJson).upstreams }}
- name: {{ include "understudy.scalar" .name }}
  protocol: {{ .protocol }}
  production:
    listen: "0.0.0.0:{{ int .production }}"
    upstream: {{ include "understudy.scalar" (printf "%s:%d" .host (int .port)) }}
  debug:
    listen: "0.0.0.0:{{ int .debug }}"
{{- end }}
control:
  listen: "0.0.0.0:9091"
tap:
  health: "0.0.0.0:9092"
  recorder-java-options: {{ include "understudy.scalar" .Values.aggregator.recorderJavaOptions }}
{{ end -}}
