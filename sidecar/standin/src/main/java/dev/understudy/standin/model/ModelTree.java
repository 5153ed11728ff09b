package dev.understudy.standin.model;

import dev.understudy.standin.model.RequestModel.QueryParameter;
import dev.understudy.standin.value.Quantiles;
import dev.understudy.standin.value.ValueModel;
import dev.understudy.standin.value.ValueModel.ArrayModel;
import dev.understudy.standin.value.ValueModel.BooleanModel;
import dev.understudy.standin.value.ValueModel.ChoiceModel;
import dev.understudy.standin.value.ValueModel.MapModel;
import dev.understudy.standin.value.ValueModel.NumberModel;
import dev.understudy.standin.value.ValueModel.ObjectModel;
import dev.understudy.standin.value.ValueModel.TextModel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A model as maps and lists, as they stand in its file; {@link ModelReader} reads them. */
final class ModelTree {
    private ModelTree() {}

    static Map<String, Object> of(ServiceModel model) {
        Map<String, Object> tree = fields("format", ModelFile.FORMAT, "service", model.service());
        tree.put("exchanges", model.exchanges());
        tree.put("seconds", model.seconds());
        if (model.workers() > 0) {
            tree.put("workers", model.workers());
        }
        ArrivalModel arrivals = model.arrivals();
        tree.put(
                "arrivals",
                fields(
                        "rate", arrivals.perSecond(),
                        "gaps-ms", numbers(arrivals.gapsMillis()),
                        "connections", arrivals.connections(),
                        "requests-per-connection", numbers(arrivals.requestsPerConnection())));
        tree.put("routes", model.routes().stream().map(ModelTree::route).toList());
        return tree;
    }

    private static Map<String, Object> route(RouteModel route) {
        RequestModel request = route.request();
        Map<String, Object> tree = fields("route", request.route(), "share", route.share());
        if (!request.parts().isEmpty()) {
            tree.put("parts", request.parts().stream().map(ModelTree::value).toList());
        }
        if (!request.query().isEmpty()) {
            tree.put("query", request.query().stream().map(ModelTree::parameter).toList());
        }
        tree.put("request", body(request.contentType(), request.size(), request.body()));
        tree.put("time-ms", numbers(route.timeMillis()));
        if (route.processorMillis() > 0) {
            tree.put("processor-ms", route.processorMillis());
        }
        if (route.allocatedBytes() > 0) {
            tree.put("allocated-bytes", route.allocatedBytes());
        }
        tree.put("replies", route.replies().stream().map(ModelTree::reply).toList());
        return tree;
    }

    private static Map<String, Object> parameter(QueryParameter parameter) {
        return fields("name", parameter.name(), "share", parameter.share(), "value", value(parameter.value()));
    }

    private static Map<String, Object> reply(ReplyModel reply) {
        Map<String, Object> tree = fields("status", reply.status(), "share", reply.share());
        tree.putAll(body(reply.contentType(), reply.size(), reply.body()));
        return tree;
    }

    private static Map<String, Object> body(String contentType, Quantiles size, @Nullable ValueModel json) {
        Map<String, Object> tree = new LinkedHashMap<>();
        if (!contentType.isEmpty()) {
            tree.put("content-type", contentType);
        }
        tree.put("size", numbers(size));
        if (json != null) {
            tree.put("body", value(json));
        }
        return tree;
    }

    private static Map<String, Object> value(ValueModel model) {
        if (model instanceof ObjectModel object) {
            List<Map<String, Object>> members = object.members().stream()
                    .map(each -> fields("name", each.name(), "share", each.share(), "value", value(each.value())))
                    .toList();
            return fields("type", "object", "members", members);
        } else if (model instanceof MapModel map) {
            return fields(
                    "type", "map", "size", numbers(map.size()), "name", value(map.name()), "value", value(map.value()));
        } else if (model instanceof ArrayModel array) {
            return fields("type", "array", "size", numbers(array.size()), "item", value(array.item()));
        } else if (model instanceof TextModel text) {
            String alphabet = text.alphabet().name().toLowerCase(Locale.ROOT);
            return fields(
                    "type", "text", "of", alphabet, "length", numbers(text.length()), "distinct", text.distinct());
        } else if (model instanceof NumberModel number) {
            Map<String, Object> tree = fields("type", "number", "from", number.from(), "to", number.to());
            tree.put("decimals", number.decimals());
            tree.put("distinct", number.distinct());
            return tree;
        } else if (model instanceof BooleanModel flag) {
            return fields("type", "boolean", "share", flag.share());
        } else if (model instanceof ChoiceModel choice) {
            List<Map<String, Object>> choices = choice.choices().stream()
                    .map(each -> fields("share", each.share(), "value", value(each.value())))
                    .toList();
            return fields("type", "choice", "choices", choices);
        }
        return fields("type", "null");
    }

    private static Object numbers(Quantiles quantiles) {
        List<Object> values = quantiles.values().stream().map(ModelTree::number).toList();
        return values.size() == 1 ? values.get(0) : values;
    }

    /** Whole numbers are easier to read without a point. */
    private static Object number(double value) {
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? (Object) (long) value : (Object) value;
    }

    private static Map<String, Object> fields(Object... namesAndValues) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            Object value = namesAndValues[i + 1];
            fields.put((String) namesAndValues[i], value instanceof Double number ? number(number) : value);
        }
        return fields;
    }
}
