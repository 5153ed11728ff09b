{{- /* The upstreams with the aggregator's ports, as JSON in a mapping: {upstreams: […]}. */ -}}
{{- define "understudy.upstreams" -}}
{{- $taken := list 9091 9092 -}}
{{- $names := list -}}
{{- $all := list -}}
{{- range .Values.upstreams -}}
  {{- if has .name $names -}}
    {{- fail (printf "two upstreams are named %s (expected: a name for each)" .name) -}}
  {{- end -}}
  {{- $names = append $names .name -}}
  {{- $one := merge (dict) . -}}
  {{- range $key, $base := dict "production" 10000 "debug" 20000 -}}
    {{- $port := int (default (add $base $one.port) (get $one $key)) -}}
    {{- if or (gt $port 65535) (has $port $taken) -}}
      {{- fail (printf "upstream %s: port %d can't be had (expected: %s set to a free one)" $one.name $port $key) -}}
    {{- end -}}
    {{- $taken = append $taken $port -}}
    {{- $_ := set $one $key $port -}}
  {{- end -}}
  {{- $all = append $all $one -}}
{{- end -}}
{{- toJson (dict "upstreams" $all) -}}
{{- end -}}

{{- /* The ports of one kind, as JSON: {ports: [{port: …}]}. */ -}}
{{- define "understudy.ports" -}}
{{- $kind := .kind -}}
{{- $ports := list -}}
{{- range (include "understudy.upstreams" .root | fromJson).upstreams -}}
  {{- $ports = append $ports (dict "port" (int (get . $kind))) -}}
{{- end -}}
{{- toJson (dict "ports" $ports) -}}
{{- end -}}

{{- /* A text in which HOST:PORT of an upstream stands for the aggregator. Takes text, host, kind and root. */ -}}
{{- define "understudy.rewrite" -}}
{{- $text := .text -}}
{{- $context := . -}}
{{- range (include "understudy.upstreams" .root | fromJson).upstreams -}}
  {{- $known := printf "(^|[^A-Za-z0-9.-])%s:%d($|[^0-9])" (regexQuoteMeta .host) (int .port) -}}
  {{- $ours := printf "${1}%s:%d${2}" (replace "$" "$$" $context.host) (int (get . $context.kind)) -}}
  {{- /* twice: what stands between two addresses belongs to the first alone */ -}}
  {{- $text = mustRegexReplaceAll $known (mustRegexReplaceAll $known $text $ours) $ours -}}
{{- end -}}
{{- $text -}}
{{- end -}}

{{- /* A text with its place-holders filled. Takes text, host, kind and root. */ -}}
{{- define "understudy.fill" -}}
{{- $text := .text -}}
{{- $context := . -}}
{{- range (include "understudy.upstreams" .root | fromJson).upstreams -}}
  {{- $port := int (get . $context.kind) -}}
  {{- $text = replace (printf "{%s.host}" .name) $context.host $text -}}
  {{- $text = replace (printf "{%s.port}" .name) (toString $port) $text -}}
  {{- $text = replace (printf "{%s.address}" .name) (printf "%s:%d" $context.host $port) $text -}}
{{- end -}}
{{- if regexMatch "\\{[a-z0-9-]+\\.(host|port|address)\\}" $text -}}
  {{- fail (printf "%s: no such upstream (expected: the name of one)" $text) -}}
{{- end -}}
{{- $text -}}
{{- end -}}

{{- /* A container whose calls are led to the aggregator, as JSON. Takes container, set, host, kind and root. */ -}}
{{- define "understudy.led" -}}
{{- $context := . -}}
{{- $container := deepCopy .container -}}
{{- $set := deepCopy (default (dict) .set) -}}
{{- $env := list -}}
{{- range (default (list) $container.env) -}}
  {{- $variable := . -}}
  {{- if hasKey $set .name -}}
    {{- $variable = dict "name" .name "value" (include "understudy.fill" (merge (dict "text" (get $set .name)) $context)) -}}
    {{- $_ := unset $set .name -}}
  {{- else if hasKey . "value" -}}
    {{- $variable = dict "name" .name "value" (include "understudy.rewrite" (merge (dict "text" .value) $context)) -}}
  {{- end -}}
  {{- $env = append $env $variable -}}
{{- end -}}
{{- range $name, $text := $set -}}
  {{- $env = append $env (dict "name" $name "value" (include "understudy.fill" (merge (dict "text" $text) $context))) -}}
{{- end -}}
{{- if $env -}}
  {{- $_ := set $container "env" $env -}}
{{- end -}}
{{- range $key := list "command" "args" -}}
  {{- $words := list -}}
  {{- range (default (list) (get $container $key)) -}}
    {{- $words = append $words (include "understudy.rewrite" (merge (dict "text" .) $context)) -}}
  {{- end -}}
  {{- if $words -}}
    {{- $_ := set $container $key $words -}}
  {{- end -}}
{{- end -}}
{{- toJson $container -}}
{{- end -}}
