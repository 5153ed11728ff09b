package dev.understudy.aggregator.http.form;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What of an HTTP request counts for its form, besides its method: always the path, and the rest as told here.
 * Immutable.
 *
 * @param headers names of the headers (and of gRPC's metadata) that count, with all their values; in lower case
 * @param ignoreQuery names of query parameters that don't count, as they stand in the URL; {@code *} at the end stands
 *     for any rest
 * @param ignoreJson what doesn't count of JSON bodies
 * @param byMeaning whether what standards give no meaning doesn't count either: the order of JSON's members, of
 *     parameters and of cookies, spellings of one character, blanks in lists
 */
public record FormRule(List<String> headers, List<String> ignoreQuery, List<JsonPath> ignoreJson, boolean byMeaning) {
    /**
     * Headers by which servers choose what to answer, and for whom. What isn't among them doesn't count: trace context,
     * {@code User-Agent}, {@code Date}, {@code Host} (the two JVMs use different ports), {@code grpc-timeout},
     * connection and upgrade headers.
     */
    public static final List<String> HEADERS = List.of(
            "accept",
            "accept-encoding",
            "accept-language",
            "authorization",
            "content-encoding",
            "content-type",
            "cookie",
            "grpc-accept-encoding",
            "grpc-encoding",
            "if-match",
            "if-modified-since",
            "if-none-match",
            "if-range",
            "if-unmodified-since",
            "range");

    /** The usual headers, the whole query, the whole body. */
    public static final FormRule DEFAULT = new FormRule(HEADERS, List.of(), List.of());

    public FormRule {
        headers = headers.stream()
                .map(name -> name.toLowerCase(Locale.ROOT))
                .sorted()
                .distinct()
                .toList();
        ignoreQuery = List.copyOf(ignoreQuery);
        ignoreJson = List.copyOf(ignoreJson);
    }

    /** The usual one, apart from these. */
    public FormRule(List<String> headers, List<String> ignoreQuery, List<JsonPath> ignoreJson) {
        this(headers, ignoreQuery, ignoreJson, true);
    }

    /** The target without the parameters that don't count. */
    String counted(String target) {
        int query = target.indexOf('?');
        if (ignoreQuery.isEmpty() || query < 0) {
            return target;
        }
        StringBuilder counted = new StringBuilder(target.length()).append(target, 0, query);
        char before = '?';
        for (String parameter : target.substring(query + 1).split("&", -1)) {
            String name = parameter.split("=", 2)[0];
            if (ignoreQuery.stream().noneMatch(ignored -> fits(ignored, name))) {
                counted.append(before).append(parameter);
                before = '&';
            }
        }
        return counted.toString();
    }

    private static boolean fits(String ignored, String name) {
        return ignored.endsWith("*")
                ? name.startsWith(ignored.substring(0, ignored.length() - 1))
                : name.equals(ignored);
    }

    /** The rule in one line for people. */
    public String text() {
        String query = ignoreQuery.isEmpty() ? "" : " without parameters " + String.join(", ", ignoreQuery);
        String json = ignoreJson.isEmpty()
                ? ""
                : ", of JSON without "
                        + ignoreJson.stream().map(JsonPath::toString).collect(Collectors.joining(", "));
        String counting = headers.isEmpty() ? "no header" : "headers " + String.join(", ", headers);
        return "method; target" + query + "; " + counting + "; body" + json + (byMeaning ? "" : "; byte by byte");
    }
}
