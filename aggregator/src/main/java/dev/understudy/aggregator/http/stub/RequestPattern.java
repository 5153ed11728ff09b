package dev.understudy.aggregator.http.stub;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;

/**
 * Which requests a stub answers: those that fit all of this. Immutable.
 *
 * @param url of path and query, as they were sent
 * @param path of the path alone
 * @param bodies of the body as UTF-8 text
 * @param binaryBodies equal to the body's bytes
 */
record RequestPattern(
        TextPattern method,
        List<TextPattern> url,
        List<TextPattern> path,
        List<Named> parameters,
        List<Named> headers,
        List<Named> cookies,
        List<TextPattern> bodies,
        List<byte[]> binaryBodies) {

    /** Of several values of a name one has to fit; none fits but {@link TextPattern.Absent} if there is none. */
    record Named(String name, TextPattern pattern) {
        boolean fits(List<String> values) {
            return pattern instanceof TextPattern.Absent
                    ? values.isEmpty()
                    : values.stream().anyMatch(pattern::fits);
        }
    }

    boolean fits(StubRequest request) {
        return method.fits(request.head().method())
                && url.stream().allMatch(each -> each.fits(request.url()))
                && path.stream().allMatch(each -> each.fits(request.path()))
                && all(parameters, request, StubRequest::parameter)
                && all(headers, request, StubRequest::header)
                && all(cookies, request, StubRequest::cookie)
                && body(request);
    }

    private static boolean all(
            List<Named> patterns, StubRequest request, BiFunction<StubRequest, String, List<String>> values) {
        return patterns.stream().allMatch(each -> each.fits(values.apply(request, each.name())));
    }

    private boolean body(StubRequest request) {
        if (bodies.isEmpty() && binaryBodies.isEmpty()) {
            return true;
        }
        byte[] body = request.body();
        if (body == null) {
            return false;
        }
        String text = new String(body, StandardCharsets.UTF_8);
        return bodies.stream().allMatch(each -> each instanceof TextPattern.Absent ? body.length == 0 : each.fits(text))
                && binaryBodies.stream().allMatch(each -> Arrays.equals(each, body));
    }
}
