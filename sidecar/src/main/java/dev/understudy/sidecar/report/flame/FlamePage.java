package dev.understudy.sidecar.report.flame;

import dev.understudy.sidecar.report.Markup;
import java.util.List;
import java.util.Locale;

/**
 * Flame graphs as one HTML page that needs nothing else: no network, no script; light and dark as the reader's system
 * is.
 */
public final class FlamePage {
    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");
    private static final int ROUTES = 20;
    private static final int HOTTEST = 10;
    private static final int ROW = 18;
    /** Of the whole width; what is narrower can't be seen. */
    private static final double NARROWEST = 0.002;

    private static final String STYLE = """
            body{max-width:90rem;margin:2rem auto;padding:0 1rem}
            h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem;border-bottom:1px solid var(--line);
            overflow-wrap:anywhere}
            table{width:auto}td{padding:.1rem .5rem;overflow-wrap:anywhere}td.n{text-align:right;white-space:pre}
            .time{display:flex;align-items:center;gap:.5rem;font-size:12px}.bar{height:.6rem;min-width:2px}
            .production{background:var(--production)}.debug{background:var(--debug)}
            .flame{position:relative;margin:1rem 0;overflow:hidden}
            .f{position:absolute;height:16px;line-height:16px;font-size:11px;overflow:hidden;white-space:nowrap;
            color:#111;
            border-radius:2px;box-sizing:border-box;border-right:1px solid #fff8;padding-left:2px}
            .jdk{background:#9db8d9}.own{background:#b8b8b8}.c0{background:#f2a65a}.c1{background:#f4c95d}
            .c2{background:#e98a6d}.c3{background:#e8b98a}.c4{background:#d9c27a}
            """;

    private static final String OF_STACKS =
            "Each box is a method; it is as wide as the share of the stacks that it is in, "
                    + "and stands below its caller. A thread that"
                    + " waits is seen as one that works is: this is wall time. Stacks are "
                    + "taken at points where the JVM can stop a"
                    + " thread, so that short methods may be counted to a neighbour. Point at "
                    + "a box for its whole name.";
    private static final String OF_BYTES =
            "Each box is a method, and below the last of them what was made; it is as wide "
                    + "as its share of the bytes that the JVM's"
                    + " samples stand for, and stands below its caller. All threads of the JVM "
                    + "are in it but the agent's own; what they"
                    + " made while they served nobody has a part of its own. Point at a box for its whole name.";

    private final Markup page = new Markup();

    private FlamePage() {}

    /** The page. */
    public static String of(Profile profile) {
        return new FlamePage().write(profile);
    }

    private String write(Profile profile) {
        boolean bytes = profile.routes().stream().anyMatch(RouteProfile::isOfBytes);
        page.beginPage(
                bytes ? "Understudy: what the debug JVM allocates" : "Understudy: what the debug JVM does", STYLE);
        page.element(
                "h1", bytes ? "What the debug JVM allocates" : "What the debug JVM does while it serves exchanges");
        page.element("p", bytes ? OF_BYTES : OF_STACKS, "class", "quiet");
        profile.sampled().forEach(how -> page.element("p", how));
        profile.routes().stream().limit(ROUTES).forEach(this::route);
        int more = profile.routes().size() - ROUTES;
        if (more > 0) {
            page.element("p", more + " routes with fewer " + (bytes ? "bytes" : "stacks") + " aren't shown.");
        }
        if (profile.waiting() > 0) {
            page.element("p", profile.waiting() + " stacks are of exchanges that aren't over yet.");
        }
        if (profile.routes().isEmpty()) {
            page.element("p", "No stacks yet.");
        }
        return page.close("body").close("html").toString();
    }

    private void route(RouteProfile route) {
        page.element("h2", route.name());
        page.element("p", route.header());
        double longest =
                Math.max(route.production().median(), route.debugTimes().median());
        if (route.factor() > 0) {
            bar("debug", route.debugTimes().median() / longest);
            bar("production", route.production().median() / longest);
        }
        FlameBoxes.Drawn drawn = FlameBoxes.of(route, NARROWEST);
        int rows = drawn.boxes().stream().mapToInt(FlameBoxes.Box::depth).max().orElse(-1) + 1;
        page.open("div", "class", "flame", "style", "height:" + rows * ROW + "px");
        drawn.boxes().forEach(box -> box(box, route.samples() - route.left(), route.unit()));
        page.close("div");
        if (drawn.narrow() > 0) {
            page.element(
                    "p",
                    drawn.narrow() + " methods are too narrow to be shown, with what they call.",
                    "class",
                    "quiet");
        }
        hottest(route);
    }

    private void bar(String side, double share) {
        page.open("div", "class", "time")
                .element("span", "", "class", "bar " + side, "style", "width:" + percent(share / 2))
                .element("span", side)
                .close("div");
    }

    private void box(FlameBoxes.Box box, long all, String unit) {
        String title = String.format(
                Locale.ROOT, "%s: %d of %d %s (%.1f %%)", box.name(), box.count(), all, unit, 100 * box.width());
        page.element(
                "div",
                box.width() < 0.01 ? "" : shortened(box.name()),
                "class",
                "f " + colour(box.name()),
                "style",
                "left:" + percent(box.left()) + ";width:" + percent(box.width()) + ";top:" + box.depth() * ROW + "px",
                "title",
                title);
    }

    private void hottest(RouteProfile route) {
        List<RouteProfile.Hot> hottest = route.hottest(HOTTEST);
        long all = Math.max(1, route.samples() - route.left());
        page.element("p", route.isOfBytes() ? "Made most:" : "On top of the stacks:", "class", "quiet")
                .open("table");
        for (RouteProfile.Hot hot : hottest) {
            page.open("tr")
                    .element("td", String.format(Locale.ROOT, "%.1f %%", 100.0 * hot.self() / all), "class", "n")
                    .element("td", hot.name())
                    .close("tr");
        }
        page.close("table");
    }

    /** Class and method without the package. */
    private static String shortened(String name) {
        int method = name.lastIndexOf('.');
        int type = method < 0 ? -1 : name.lastIndexOf('.', method - 1);
        return name.substring(type + 1);
    }

    /** The same for all methods of a package. */
    private static String colour(String name) {
        if (JDK.stream().anyMatch(name::startsWith)) {
            return "jdk";
        }
        if (name.startsWith("dev.understudy.agent.")) {
            return "own";
        }
        int type = name.length() - shortened(name).length();
        return "c" + Math.floorMod(name.substring(0, type).hashCode(), 5);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.3f%%", 100 * share);
    }
}
