package dev.understudy.standin.run;

import dev.understudy.standin.model.RequestModel;
import dev.understudy.standin.model.RouteModel;
import dev.understudy.standin.model.ServiceModel;
import dev.understudy.standin.model.TargetPath;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the route of a request: of those that fit, the one with the fewest open parts. Immutable. */
final class RouteIndex {
    private final Map<String, List<Entry>> bySize = new HashMap<>();

    private record Entry(List<String> segments, RouteModel route) {
        boolean fits(List<String> asked) {
            for (int i = 0; i < segments.size(); i++) {
                boolean open = segments.get(i).equals(RequestModel.PART);
                if (open ? asked.get(i).isEmpty() : !segments.get(i).equals(asked.get(i))) {
                    return false;
                }
            }
            return true;
        }

        int openParts() {
            return route.request().parts().size();
        }
    }

    RouteIndex(ServiceModel model) {
        for (RouteModel route : model.routes()) {
            List<String> segments = TargetPath.segments(route.request().path());
            bySize.computeIfAbsent(key(route.request().method(), segments), any -> new ArrayList<>())
                    .add(new Entry(segments, route));
        }
        bySize.values().forEach(entries -> entries.sort((a, b) -> Integer.compare(a.openParts(), b.openParts())));
    }

    /** The route of a request; null if the model has none. */
    @Nullable
    RouteModel find(String method, String target) {
        List<String> asked = TargetPath.segments(target);
        for (Entry entry : bySize.getOrDefault(key(method, asked), List.of())) {
            if (entry.fits(asked)) {
                return entry.route();
            }
        }
        return null;
    }

    private static String key(String method, List<String> segments) {
        return method + " " + segments.size();
    }
}
