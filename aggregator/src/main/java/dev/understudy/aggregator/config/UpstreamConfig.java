package dev.understudy.aggregator.config;

import dev.understudy.aggregator.http.form.FormRule;
import dev.understudy.aggregator.http.form.JsonPath;
import dev.understudy.aggregator.http.stub.StubFolder;
import dev.understudy.aggregator.http.stub.Stubs;
import dev.understudy.aggregator.policy.CallPolicy;
import dev.understudy.aggregator.policy.Miss;
import dev.understudy.aggregator.redis.command.IgnoredArgument;
import dev.understudy.aggregator.redis.command.RedisRule;
import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.relay.accept.AcceptConfig;
import dev.understudy.relay.config.AcceptSection;
import dev.understudy.relay.config.ProductionSection;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import dev.understudy.relay.starttls.StartTls;
import dev.understudy.relay.tls.OriginateConfig;
import dev.understudy.relay.tls.TerminateConfig;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One upstream: where production finds it, where it really is, and where the debug JVM finds its recorded replies.
 *
 * @param name in reports and metrics
 * @param listen production's port here; null if nothing is recorded: what was recorded before is given, and no
 *     connection is made to the upstream
 * @param accept which of production's connections are let in
 * @param upstream the real server
 * @param debugListen the debug JVM's port here
 * @param dialledPort the port that the debug JVM dials, if something redirects its connections here; 0 for the one here
 * @param offersTls whether debug clients that ask for TLS in the protocol's own words are told yes
 * @param policy what happens to debug requests without a recorded reply, and which have none
 * @param standin where what nothing recorded fits is answered by a server that is no upstream; null if nowhere
 * @param stubs what answers them; none except over HTTP, where it is wanted
 * @param form what counts for the form of a request over HTTP
 * @param redisForm what counts for the form of a command over Redis
 * @param byCount whether over TCP a debug connection that said something else than production's is played on, as a
 *     guess
 */
public record UpstreamConfig(
        String name,
        Protocol protocol,
        @Nullable InetSocketAddress listen,
        AcceptConfig accept,
        ProductionConfig upstream,
        InetSocketAddress debugListen,
        int dialledPort,
        boolean offersTls,
        CallPolicy policy,
        @Nullable Address standin,
        Stubs stubs,
        FormRule form,
        RedisRule redisForm,
        boolean byCount) {
    private static final int LAST_PORT = 65_535;
    private static final Map<Protocol, List<String>> AGREED =
            Map.of(Protocol.POSTGRES, List.of("postgresql"), Protocol.MYSQL, List.of());
    private static final Value<Optional<InetSocketAddress>> LISTEN = new Value<>(
            "host:port, or none",
            raw -> raw.equals("none")
                    ? Optional.empty()
                    : Optional.of(Value.address().parse().apply(raw)),
            Optional.empty());
    private static final Logger log = LoggerFactory.getLogger(UpstreamConfig.class);

    static UpstreamConfig read(Section section) {
        Section production = section.section("production");
        Section debug = section.section("debug");
        Protocol protocol = section.required("protocol", Value.choice(Protocol.class));
        Miss miss = section.optional("miss", Value.choice(Miss.class), Miss.FAIL);
        ProductionConfig upstream = agreeing(protocol, ProductionSection.read(production, "upstream"));
        CallPolicy policy = new CallPolicySection(protocol == Protocol.HTTP).read(section, miss);
        Optional<InetSocketAddress> listen = production.required("listen", LISTEN);
        LiveSection.checkLive(section, protocol, policy, upstream, listen.isPresent());
        return new UpstreamConfig(
                section.required("name", Value.text()),
                protocol,
                listen.orElse(null),
                agreeing(protocol, production.build(AcceptSection::read, AcceptConfig.defaults())),
                upstream,
                debug.required("listen", Value.address()),
                debug.optional("dialled-port", Value.integer(0, LAST_PORT), 0),
                debug.optional("tls", Value.flag(), true),
                policy,
                LiveSection.standin(section, protocol, policy, upstream),
                stubs(section, protocol, miss),
                form(section, protocol),
                redisForm(section, protocol),
                byCount(section, protocol, miss));
    }

    private static boolean byCount(Section section, Protocol protocol, Miss miss) {
        if (protocol != Protocol.TCP) {
            if (section.has("mismatch")) {
                section.problem("mismatch: set (expected: none, except over tcp)");
            }
            return false;
        }
        if (miss == Miss.REPEAT_LAST) {
            section.problem("miss: repeat-last (expected: fail, as nobody knows what a read is over tcp)");
        }
        return section.optional("mismatch", Value.choice(Mismatch.class), Mismatch.FAIL) == Mismatch.BY_COUNT;
    }

    /**
     * PostgreSQL's drivers and servers agree on nothing but their own protocol in a TLS handshake, MySQL's on nothing.
     */
    private static AcceptConfig agreeing(Protocol protocol, AcceptConfig accept) {
        List<String> agreed = AGREED.get(protocol);
        return agreed == null || accept.tls() == null
                ? accept
                : new AcceptConfig(
                        accept.maxConnections(),
                        accept.maxRate(),
                        accept.proxy(),
                        new TerminateConfig(accept.tls().certificates(), agreed));
    }

    private static ProductionConfig agreeing(Protocol protocol, ProductionConfig upstream) {
        OriginateConfig tls = upstream.tls();
        List<String> agreed = AGREED.get(protocol);
        return agreed == null || tls == null
                ? upstream
                : new ProductionConfig(
                        upstream.addresses(),
                        upstream.transparent(),
                        upstream.connectTimeout(),
                        upstream.dnsTtl(),
                        upstream.health(),
                        new OriginateConfig(tls.serverName(), tls.authorities(), tls.own(), agreed));
    }

    /** Where it listens. */
    List<InetSocketAddress> ports() {
        return listen == null ? List.of(debugListen) : List.of(listen, debugListen);
    }

    /** How TLS begins on production's side, where it is set. */
    public StartTls startTls() {
        return switch (protocol) {
            case POSTGRES -> StartTls.POSTGRES;
            case MYSQL -> StartTls.MYSQL;
            case HTTP, REDIS, TCP -> StartTls.FIRST_BYTE;
        };
    }

    private static Stubs stubs(Section section, Protocol protocol, Miss miss) {
        if (miss != Miss.STUB) {
            if (section.has("stubs")) {
                section.problem("stubs: set (expected: none, unless miss is stub)");
            }
            return Stubs.NONE;
        }
        Path path = section.required("stubs", new Value<>("a file or folder of stubs", Path::of, Path.of("")));
        if (protocol != Protocol.HTTP) {
            section.problem("miss: stub (expected: fail or repeat-last, as stubs are for http)");
            return Stubs.NONE;
        }
        StubFolder.Loaded loaded = StubFolder.load(path);
        loaded.problems().forEach(problem -> section.problem("stubs: " + problem));
        loaded.notes().forEach(note -> log.info("stubs: {}", note));
        return loaded.stubs();
    }

    private static FormRule form(Section section, Protocol protocol) {
        if (protocol == Protocol.TCP && section.has("form")) {
            section.problem("form: set (expected: none, as tcp has no requests)");
        }
        if (protocol == Protocol.TCP || protocol == Protocol.REDIS) {
            return FormRule.DEFAULT;
        }
        Section form = section.section("form");
        boolean byMeaning =
                form.optional("equality", Value.choice(Equality.class), Equality.MEANING) == Equality.MEANING;
        if (protocol != Protocol.HTTP) {
            return new FormRule(FormRule.HEADERS, List.of(), List.of(), byMeaning);
        }
        return new FormRule(
                form.has("headers") ? form.listed("headers", Value.text()) : FormRule.HEADERS,
                form.listed("ignore-query", Value.text()),
                form.listed(
                        "ignore-json", new Value<>("a path like order.items[*].id", JsonPath::of, JsonPath.of("x"))),
                byMeaning);
    }

    /** Whether white space and comments count in statements. */
    public SqlSpelling spelling() {
        return form.byMeaning() ? SqlSpelling.MEANING : SqlSpelling.BYTES;
    }

    private static RedisRule redisForm(Section section, Protocol protocol) {
        if (protocol != Protocol.REDIS) {
            return RedisRule.DEFAULT;
        }
        Section form = section.section("form");
        return new RedisRule(
                form.listed(
                        "ignore-arguments",
                        new Value<>(
                                "a command and a place from 1, like PUBLISH 2 or XADD 3+",
                                IgnoredArgument::of,
                                IgnoredArgument.of("PUBLISH 2"))),
                form.optional("ignore-ttl", Value.flag(), false),
                form.listed(
                        "ignore-keys",
                        new Value<>("the beginning of keys, like session:*", UpstreamConfig::beginning, "x")));
    }

    private static String beginning(String written) {
        if (!written.matches("[^*]+\\*")) {
            throw new IllegalArgumentException(written);
        }
        return written.substring(0, written.length() - 1);
    }

    /** What counts for the forms of this upstream, in a line for people; null if there is no such rule. */
    @Nullable
    public String rule() {
        return switch (protocol) {
            case HTTP -> form.text();
            case REDIS -> redisForm.text();
            case MYSQL, POSTGRES, TCP -> null;
        };
    }

    /** The protocols that can be recorded and replayed. */
    public enum Protocol {
        HTTP,
        MYSQL,
        POSTGRES,
        REDIS,
        /** Any other, as bytes: connection by connection. */
        TCP;

        /** The name as it stands in a configuration file. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private enum Equality {
        MEANING,
        BYTES
    }

    private enum Mismatch {
        FAIL,
        BY_COUNT
    }
}
