package dev.understudy.standin.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.standin.model.RequestModel;
import dev.understudy.standin.model.RequestModel.QueryParameter;
import dev.understudy.standin.value.ValueMaker;
import dev.understudy.standin.value.ValueModel;
import dev.understudy.standin.value.ValueModel.ArrayModel;
import dev.understudy.standin.value.ValueModel.ChoiceModel;
import dev.understudy.standin.value.ValueModel.MapModel;
import dev.understudy.standin.value.ValueModel.ObjectModel;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/** Makes the requests of one route. Immutable, so that any thread may use it. */
public final class RequestMaker {
    /** How large a body may be, in bytes. */
    static final int MOST_BODY = 64 << 20;

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern VISIBLE = Pattern.compile("[!-~&&[^?#]]+");
    private static final Pattern HEADER = Pattern.compile("[ -~]*");
    private static final byte FILLER = 'x';
    private static final byte[] NO_BODY = {};

    private final RequestModel model;
    private final String[] fixed;

    /**
     * A maker for one route.
     *
     * @throws IllegalArgumentException if such requests can't be made
     */
    public RequestMaker(RequestModel model) {
        this.model = model;
        this.fixed = model.path().split(Pattern.quote(RequestModel.PART), -1);
        check(VISIBLE.matcher(model.path()).matches(), "its path has characters that no path can have");
        check(!model.method().equals("CONNECT"), "CONNECT asks for a tunnel, which isn't made");
        check(HEADER.matcher(model.contentType()).matches(), "its content type isn't plain text");
        check(model.size().at(1) <= MOST_BODY, "its body is larger than 64 MiB");
        model.parts().forEach(part -> check(isScalar(part), "a part of its path is an object or an array"));
        for (QueryParameter parameter : model.query()) {
            check(isScalar(parameter.value()), "its parameter " + parameter.name() + " is an object or an array");
        }
    }

    private void check(boolean fine, String problem) {
        if (!fine) {
            throw new IllegalArgumentException(
                    model.route() + ": " + problem + " (expected: a route whose requests can be made)");
        }
    }

    private static boolean isScalar(ValueModel value) {
        if (value instanceof ChoiceModel choice) {
            return choice.choices().stream().allMatch(each -> isScalar(each.value()));
        }
        return !(value instanceof ObjectModel || value instanceof ArrayModel || value instanceof MapModel);
    }

    /**
     * One request.
     *
     * @param random decides all of it
     */
    public RequestDraft make(SplittableRandom random) {
        String target = path(random) + query(random);
        ValueModel json = model.body();
        if (json == null) {
            return new RequestDraft(model.method(), target, model.contentType(), filler(random));
        }
        String type = model.contentType().isEmpty() ? "application/json" : model.contentType();
        return new RequestDraft(model.method(), target, type, json(json, random));
    }

    private String path(SplittableRandom random) {
        StringBuilder path = new StringBuilder(fixed[0]);
        for (int i = 1; i < fixed.length; i++) {
            path.append(text(model.parts().get(i - 1), random)).append(fixed[i]);
        }
        return path.toString();
    }

    private String query(SplittableRandom random) {
        StringBuilder query = new StringBuilder();
        for (QueryParameter parameter : model.query()) {
            if (random.nextDouble() < parameter.share()) {
                query.append(query.isEmpty() ? '?' : '&')
                        .append(UrlText.encode(parameter.name()))
                        .append('=')
                        .append(text(parameter.value(), random));
            }
        }
        return query.toString();
    }

    private static String text(ValueModel value, SplittableRandom random) {
        return UrlText.encode(new ValueMaker(random).text(value));
    }

    private static byte[] json(ValueModel body, SplittableRandom random) {
        try {
            return JSON.writeValueAsBytes(new ValueMaker(random).make(body));
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private byte[] filler(SplittableRandom random) {
        int size = (int) Math.round(model.size().at(random.nextDouble()));
        if (size == 0) {
            return NO_BODY;
        }
        byte[] body = new byte[size];
        Arrays.fill(body, FILLER);
        return body;
    }
}
