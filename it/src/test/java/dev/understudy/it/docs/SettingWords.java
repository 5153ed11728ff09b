package dev.understudy.it.docs;

import dev.understudy.relay.config.Setting;
import dev.understudy.relay.config.Setting.Kind;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** How values and defaults of settings are written in tables. */
final class SettingWords {
    private static final String NONE = "–";

    /** Values whose words depend on other settings, or are too long for a table. */
    private static final Map<String, String> VALUES =
            Map.of("faults[].upstream", "an upstream's name", "suspects.also", "list: rules, see below");

    /** Defaults that follow from other settings, or aren't written as they are kept. */
    private static final Map<String, String> DEFAULTS = Map.of(
            "suspects.slow", NONE,
            "upstreams[].calls[].miss", "the upstream's",
            "upstreams[].calls[].wait", "the upstream's",
            "faults[].name", "upstream and fault",
            "faults[].code", "by protocol");

    private SettingWords() {}

    /** What may be written, in fewer words than messages have for it. */
    static String kind(String expected) {
        String shorter = expected.replaceFirst("^a size\\b.*", "size")
                .replaceFirst("^0, or a size\\b.*", "0 or size")
                .replaceFirst("^a time such as 250ms, 5s, 10m or 1h$", "time")
                .replaceFirst("^a time such as 6h, or 0s$", "time or `0s`")
                .replaceFirst("^an http:// or https:// address, or \"\"$", "URL")
                .replaceFirst("^true or false$", "`true`, `false`");
        return shorter.startsWith("one of ") ? choice(shorter.substring("one of ".length())) : shorter;
    }

    private static String choice(String names) {
        return "`" + String.join("`, `", names.split(", ")) + "`";
    }

    /** What may be written, by all who ask for one setting. */
    static String kinds(List<Setting> asked) {
        String special = VALUES.get(general(asked));
        if (special != null) {
            return special;
        }
        boolean list = asked.stream().anyMatch(one -> one.kind() == Kind.LIST || one.kind() == Kind.REQUIRED_LIST);
        return asked.stream()
                .filter(one -> one.kind() != Kind.LOOKED_FOR)
                .map(one -> kind(one.expected()))
                .distinct()
                .collect(Collectors.joining("; ", list ? "list: " : "", ""));
    }

    /** What holds where it isn't set. What is required only where it is there isn't required. */
    static String defaults(List<Setting> asked) {
        String special = DEFAULTS.get(general(asked));
        if (special != null) {
            return special;
        }
        Set<Kind> kinds = asked.stream().map(Setting::kind).collect(Collectors.toSet());
        if (kinds.contains(Kind.REQUIRED_LIST) || (kinds.contains(Kind.REQUIRED) && !kinds.contains(Kind.LOOKED_FOR))) {
            return "required";
        }
        return asked.stream()
                .map(one -> one.kind() == Kind.OPTIONAL ? value(one) : NONE)
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private static String general(List<Setting> asked) {
        return asked.get(0).path().replaceAll("\\[\\d+]", "[]");
    }

    private static String value(Setting setting) {
        Object otherwise = setting.otherwise();
        String text;
        if (otherwise instanceof Duration time) {
            text = time(time);
        } else if (otherwise instanceof Long bytes && setting.expected().contains("size")) {
            text = bytes(bytes);
        } else if (otherwise instanceof Enum<?> constant) {
            text = constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
        } else if (otherwise instanceof InetSocketAddress address) {
            text = address.getPort() == 0 ? "" : address.getHostString() + ":" + address.getPort();
        } else if (otherwise instanceof Double number) {
            text = number(number, setting.expected());
        } else if (otherwise instanceof Collection<?> several && several.isEmpty()) {
            text = "";
        } else {
            text = String.valueOf(otherwise);
        }
        return text.isEmpty() ? NONE : "`" + text + "`";
    }

    private static String number(double number, String expected) {
        if (number < 0) {
            return "never";
        }
        boolean share = expected.contains("%");
        String text = String.valueOf(share ? number * 100 : number).replaceFirst("\\.0$", "");
        return share ? text + "%" : text;
    }

    private static String time(Duration time) {
        long millis = time.toMillis();
        if (millis % 1000 != 0) {
            return millis + "ms";
        }
        long seconds = time.toSeconds();
        if (seconds % 3600 == 0 && seconds > 0) {
            return seconds / 3600 + "h";
        }
        return seconds % 60 == 0 && seconds > 60 ? seconds / 60 + "m" : seconds + "s";
    }

    private static String bytes(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB"};
        int unit = 0;
        long number = bytes;
        while (unit < 3 && number > 0 && number % 1024 == 0) {
            number /= 1024;
            unit++;
        }
        return unit == 0 ? String.valueOf(number) : number + units[unit];
    }
}
