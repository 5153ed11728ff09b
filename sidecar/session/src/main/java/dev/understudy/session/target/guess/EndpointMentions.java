package dev.understudy.session.target.guess;

import dev.understudy.divergence.mask.Masking;
import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.guess.SettingWords.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the servers that settings name: in URLs, and as host names. What is secret in them is passed over. */
final class EndpointMentions {
    private static final int MOST = 500;
    private static final Pattern URL = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]{1,30}):(?:[a-zA-Z]{1,20}:)?(@?//)"
            + "(?:[^@/\\s?#]{0,300}@)?([^/\\s?#;\"'<>]{1,500})([^\\s\"'<>]{0,2000})");
    private static final Pattern HOST =
            Pattern.compile("(\\[[0-9a-fA-F:.]{2,45}]|[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252}))" + "(?::(\\d{1,5}))?");
    private static final Pattern HOST_SETTING =
            Pattern.compile("(?i).*(?:host|addr|server|node|broker|bootstrap|endpoint|contact|cluster).*");
    private static final Pattern ENCRYPTED = Pattern.compile(
            "(?i).*[?&;](?:sslmode=(?:require|verify|required)[^&;]*|(?:use)?ssl=true|encrypt=true|tls=true).*");
    private static final Pattern PLAIN =
            Pattern.compile("(?i).*[?&;](?:sslmode=disabled?|(?:use)?ssl=false|encrypt=false|tls=false)\\b.*");

    private static final Map<String, KnownPort> SCHEMES = Map.ofEntries(
            Map.entry("postgresql", new KnownPort("postgres", "5432", TlsUse.UNKNOWN)),
            Map.entry("postgres", new KnownPort("postgres", "5432", TlsUse.UNKNOWN)),
            Map.entry("mysql", new KnownPort("mysql", "3306", TlsUse.UNKNOWN)),
            Map.entry("mariadb", new KnownPort("mysql", "3306", TlsUse.UNKNOWN)),
            Map.entry("redis", new KnownPort("redis", "6379", TlsUse.NO)),
            Map.entry("rediss", new KnownPort("redis", "6379", TlsUse.YES)),
            Map.entry("http", new KnownPort("http", "80", TlsUse.NO)),
            Map.entry("https", new KnownPort("http", "443", TlsUse.YES)),
            Map.entry("mongodb", new KnownPort("tcp", "27017", TlsUse.UNKNOWN)),
            Map.entry("amqp", new KnownPort("tcp", "5672", TlsUse.NO)),
            Map.entry("amqps", new KnownPort("tcp", "5671", TlsUse.YES)),
            Map.entry("sqlserver", new KnownPort("tcp", "1433", TlsUse.UNKNOWN)),
            Map.entry("oracle", new KnownPort("tcp", "1521", TlsUse.UNKNOWN)));

    private EndpointMentions() {}

    static List<EndpointMention> in(SettingWords words) {
        List<EndpointMention> found = new ArrayList<>();
        for (Setting setting : words.settings()) {
            if (found.size() >= MOST) {
                break;
            }
            Matcher url = URL.matcher(setting.value());
            boolean hasUrl = false;
            while (found.size() < MOST && url.find()) {
                hasUrl = true;
                url(setting, url, found);
            }
            if (!hasUrl && HOST_SETTING.matcher(setting.name()).matches() && !Masking.PLAIN.isSecret(setting.name())) {
                hosts(setting, setting.value(), 0, "", TlsUse.UNKNOWN, found);
            }
        }
        return found;
    }

    private static void url(Setting setting, Matcher url, List<EndpointMention> found) {
        String scheme = url.group(1).toLowerCase(Locale.ROOT);
        String whole = url.group();
        String inner = scheme.equals("jdbc") || scheme.equals("r2dbc")
                ? whole.substring(scheme.length() + 1).split("[:@]", 2)[0].toLowerCase(Locale.ROOT)
                : scheme;
        KnownPort known = SCHEMES.get(inner);
        String rest = url.group(4);
        TlsUse tls = ENCRYPTED.matcher(rest).matches()
                ? TlsUse.YES
                : PLAIN.matcher(rest).matches() ? TlsUse.NO : known == null ? TlsUse.UNKNOWN : known.tls();
        hosts(
                setting,
                url.group(3),
                known == null ? 0 : Integer.parseInt(known.owner()),
                known == null ? "" : known.protocol(),
                tls,
                found);
    }

    private static void hosts(
            Setting setting, String list, int usual, String protocol, TlsUse tls, List<EndpointMention> found) {
        for (String one : list.split(",", 20)) {
            Matcher host = HOST.matcher(one.strip());
            if (found.size() < MOST && host.matches()) {
                int port = host.group(2) == null ? usual : Integer.parseInt(host.group(2));
                String name = host.group(1).startsWith("[")
                        ? host.group(1).substring(1, host.group(1).length() - 1)
                        : host.group(1);
                found.add(new EndpointMention(name, port, protocol, tls, setting.place()));
            }
        }
    }
}
