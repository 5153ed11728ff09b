package dev.understudy.standin.model;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.standin.model.RequestModel.QueryParameter;
import dev.understudy.standin.value.Quantiles;
import dev.understudy.standin.value.ValueModel;
import dev.understudy.standin.value.ValueModel.NullModel;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads a model's file; each mistake is told with its line and column. */
final class ModelReader {
    private static final Value<Double> NUMBER = new Value<>("a number", ModelReader::finite, 0.0);
    private static final Value<Double> SHARE = new Value<>("above 0, at most 1", ModelReader::share, 1.0);
    private static final Value<Long> COUNT = new Value<>("a whole number >= 0", ModelReader::count, 0L);
    private static final ArrivalModel NO_ARRIVALS = new ArrivalModel(1, Quantiles.always(0), 1, Quantiles.always(1));
    private static final QueryParameter NO_PARAMETER = new QueryParameter("placeholder", 1, new NullModel());
    private static final ReplyModel NO_REPLY = new ReplyModel(200, 1, "", Quantiles.always(0), null);
    private static final RequestModel NO_REQUEST =
            new RequestModel("GET", "/", List.of(), List.of(), "", Quantiles.always(0), null);
    private static final RouteModel NO_ROUTE =
            new RouteModel(1, NO_REQUEST, List.of(NO_REPLY), Quantiles.always(0), 0, 0);

    private ModelReader() {}

    static ServiceModel service(Section top) {
        top.required("format", Value.integer(1, ModelFile.FORMAT));
        return top.build(
                section -> new ServiceModel(
                        section.required("service", Value.text()),
                        section.required("exchanges", COUNT),
                        section.required("seconds", NUMBER),
                        section.optional("workers", Value.integer(1, ServiceModel.MOST_WORKERS), 0),
                        section.section("arrivals").build(ModelReader::arrivals, NO_ARRIVALS),
                        section.sections("routes").stream()
                                .map(each -> each.build(ModelReader::route, NO_ROUTE))
                                .toList()),
                new ServiceModel("placeholder", 0, 0, 0, NO_ARRIVALS, List.of(NO_ROUTE)));
    }

    private static ArrivalModel arrivals(Section section) {
        return new ArrivalModel(
                section.required("rate", NUMBER),
                quantiles(section, "gaps-ms"),
                section.required("connections", Value.integer(1, 1_000_000)),
                quantiles(section, "requests-per-connection"));
    }

    private static RouteModel route(Section section) {
        return new RouteModel(
                section.required("share", SHARE),
                request(section),
                section.sections("replies").stream()
                        .map(each -> each.build(ModelReader::reply, NO_REPLY))
                        .toList(),
                quantiles(section, "time-ms"),
                section.optional("processor-ms", NUMBER, 0.0),
                section.optional("allocated-bytes", COUNT, 0L));
    }

    private static RequestModel request(Section section) {
        String route = section.required("route", Value.text());
        int space = route.indexOf(' ');
        Section body = section.section("request");
        return new RequestModel(
                space < 0 ? route : route.substring(0, space),
                route.substring(space + 1),
                section.sections("parts").stream().map(ValueReader::read).toList(),
                section.sections("query").stream()
                        .map(each -> each.build(ModelReader::parameter, NO_PARAMETER))
                        .toList(),
                body.optional("content-type", Value.anyText(), ""),
                quantiles(body, "size"),
                json(body));
    }

    private static QueryParameter parameter(Section section) {
        return new QueryParameter(
                section.required("name", Value.text()),
                section.required("share", SHARE),
                ValueReader.read(section.section("value")));
    }

    private static ReplyModel reply(Section section) {
        return new ReplyModel(
                section.required("status", Value.integer(200, 599)),
                section.required("share", SHARE),
                section.optional("content-type", Value.anyText(), ""),
                quantiles(section, "size"),
                json(section));
    }

    private static @Nullable ValueModel json(Section section) {
        return section.has("body") ? ValueReader.read(section.section("body")) : null;
    }

    static Quantiles quantiles(Section section, String key) {
        List<Double> values = section.list(key, NUMBER);
        Function<Section, Quantiles> made = any -> new Quantiles(values);
        return section.build(made, Quantiles.always(0));
    }

    private static Double finite(String raw) {
        double number = Double.parseDouble(raw);
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new IllegalArgumentException(raw);
        }
        return number;
    }

    private static Double share(String raw) {
        double share = finite(raw);
        if (share <= 0 || share > 1) {
            throw new IllegalArgumentException(raw);
        }
        return share;
    }

    private static Long count(String raw) {
        long count = Long.parseLong(raw);
        if (count < 0) {
            throw new IllegalArgumentException(raw);
        }
        return count;
    }

    static Value<Double> number() {
        return NUMBER;
    }

    static Value<Double> share() {
        return SHARE;
    }
}
