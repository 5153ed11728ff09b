package dev.understudy.aggregator.http.form;

import dev.understudy.divergence.wire.http.RequestHead;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The type of a {@code multipart} body, cut into its boundary (RFC 2046, section 5.1.1) and what else it says.
 *
 * @param boundary 1 to 70 characters, none of them a space
 * @param rest the type without that parameter, as it was written
 */
record MultipartType(String boundary, String rest) {
    /** Characters of a type beyond which nothing is made of it. */
    private static final int LONGEST = 500;

    private static final String TOKEN = "[\\w!#$%&'*+.^`|~-]+";
    private static final String PARAMETER = "[ \\t]*;[ \\t]*(" + TOKEN + ")=(" + TOKEN + "|\"[^\"\\\\]*\")";
    private static final Pattern TYPE =
            Pattern.compile("multipart/" + TOKEN + "(?:" + PARAMETER + ")+[ \\t]*", Pattern.CASE_INSENSITIVE);
    private static final Pattern PARAMETERS = Pattern.compile(PARAMETER);
    private static final Pattern BOUNDARY = Pattern.compile("[\\w'()+,./:=?-]{1,70}");

    /** The type of this request's body; null if it isn't one with exactly one boundary, in the usual letters. */
    static @Nullable MultipartType of(RequestHead head) {
        List<String> types = head.all("content-type");
        String type = types.size() == 1 ? types.get(0) : "";
        if (type.length() > LONGEST || !TYPE.matcher(type).matches()) {
            return null;
        }
        MultipartType found = null;
        Matcher parameter = PARAMETERS.matcher(type);
        while (parameter.find()) {
            if (parameter.group(1).equalsIgnoreCase("boundary")) {
                String quoted = parameter.group(2);
                String boundary = quoted.startsWith("\"") ? quoted.substring(1, quoted.length() - 1) : quoted;
                if (found != null || !BOUNDARY.matcher(boundary).matches()) {
                    return null;
                }
                found = new MultipartType(
                        boundary, type.substring(0, parameter.start()) + type.substring(parameter.end()));
            }
        }
        return found;
    }
}
