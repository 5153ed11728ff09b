package dev.understudy.aggregator.http.form;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a query or a form: the names in one order, those of one name in the order that they came in.
 *
 * @param parameters in that order
 */
record ParameterList(List<Parameter> parameters) {
    /** More aren't sorted. */
    static final int MOST = 10_000;

    /**
     * One of them.
     *
     * @param value null if there is no {@code =}
     */
    record Parameter(String name, @Nullable String value) {
        @Override
        public String toString() {
            return value == null ? name : name + '=' + value;
        }
    }

    private interface Spelling {
        /** The text as it is compared; null if malformed. */
        @Nullable
        String apply(String text);
    }

    /** Those of a query; null if there are too many. */
    static @Nullable ParameterList ofQuery(String query) {
        return of(query, PercentEncoding::ofQuery);
    }

    /** Those of a form's body; null if there are too many, or their encoding is malformed. */
    static @Nullable ParameterList ofForm(String form) {
        return of(form, PercentEncoding::ofForm);
    }

    private static @Nullable ParameterList of(String text, Spelling spelling) {
        List<Parameter> parameters = new ArrayList<>();
        for (String parameter : text.split("&", MOST + 1)) {
            int equals = parameter.indexOf('=');
            String name = spelling.apply(equals < 0 ? parameter : parameter.substring(0, equals));
            String value = equals < 0 ? null : spelling.apply(parameter.substring(equals + 1));
            if (name == null || (equals >= 0 && value == null) || parameters.size() == MOST) {
                return null;
            }
            parameters.add(new Parameter(name, value));
        }
        parameters.sort(Comparator.comparing(Parameter::name));
        return new ParameterList(List.copyOf(parameters));
    }

    /** In one line; two lists have the same only if they are equal. */
    String text() {
        return parameters.stream().map(Parameter::toString).collect(Collectors.joining("&"));
    }
}
