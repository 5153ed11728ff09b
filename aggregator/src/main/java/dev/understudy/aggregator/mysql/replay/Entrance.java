package dev.understudy.aggregator.mysql.replay;

import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.mysql.exchange.ServerKeys;
import dev.understudy.aggregator.mysql.sql.MySqlSession;
import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.Login;
import dev.understudy.divergence.wire.mysql.MalformedPacketException;
import dev.understudy.divergence.wire.mysql.MySqlWriter;
import dev.understudy.divergence.wire.mysql.ServerGreeting;
import dev.understudy.divergence.wire.mysql.ServerStatus;
import dev.understudy.divergence.wire.mysql.result.Ok;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Greets a debug client as production's server does, and lets it in whatever its credentials. */
final class Entrance {
    private static final String NATIVE = "mysql_native_password";
    private static final String CACHING = "caching_sha2_password";
    private static final long UNSPOKEN = Capabilities.SSL
            | Capabilities.COMPRESS
            | Capabilities.ZSTD_COMPRESSION
            | Capabilities.OPTIONAL_METADATA
            | Capabilities.MULTI_FACTOR;
    private static final long NEEDED = Capabilities.PROTOCOL_41
            | Capabilities.SECURE_CONNECTION
            | Capabilities.PLUGIN_AUTH
            | Capabilities.CONNECT_WITH_DB;
    private static final int OTHER_PLUGIN = 0xfe;
    private static final int MORE = 0x01;
    private static final int FAST = 0x03;

    /** For a client that comes before any of production's: a plain server of today. */
    private static final ServerGreeting UNKNOWN = new ServerGreeting(
            "8.0.0",
            0,
            new Capabilities(NEEDED
                    | Capabilities.LONG_PASSWORD
                    | Capabilities.FOUND_ROWS
                    | Capabilities.MULTI_STATEMENTS
                    | Capabilities.PLUGIN_AUTH_LENENC
                    | Capabilities.CONNECT_ATTRS
                    | Capabilities.SESSION_TRACK
                    | Capabilities.DEPRECATE_EOF
                    // several results, of text and of prepared statements; transactions
                    | 1 << 17
                    | 1 << 18
                    | 1 << 13),
            45,
            ServerStatus.AUTOCOMMIT,
            NATIVE);

    private final MySqlSession session;
    private final ServerFacts facts;
    private final MySqlOutlet outlet;
    private Capabilities offered = new Capabilities(0);

    Entrance(MySqlSession session, ServerFacts facts, MySqlOutlet outlet) {
        this.session = session;
        this.facts = facts;
        this.outlet = outlet;
    }

    /** Writes the greeting: production's, with a number of its own, and without what isn't spoken here. */
    void greet(@Nullable ServerGreeting production, long connection) {
        ServerGreeting server = production == null ? UNKNOWN : production;
        offered = new Capabilities(server.capabilities().without(UNSPOKEN).bits() | NEEDED);
        String plugin = server.plugin().equals(CACHING) ? CACHING : NATIVE;
        ServerGreeting ours = new ServerGreeting(
                server.version(), (int) connection, offered, server.collation(), server.status(), plugin);
        outlet.write(ours.encode(challenge()));
    }

    /** Reads the client's login, with which the session begins. */
    Login login(byte[] payload) {
        Login login = Login.read(payload, offered);
        if (login.tls()) {
            throw new MalformedPacketException("TLS, which wasn't offered");
        }
        session.login(login.capabilities().and(offered), login.collation(), login.database());
        return login;
    }

    /**
     * Goes by what the client proves itself with.
     *
     * @return whether it is let in; if not it is asked to prove itself in another way, and then is
     */
    boolean prove(String plugin, boolean proven) {
        boolean known = plugin.isEmpty() || plugin.equals(NATIVE);
        if (known || plugin.equals(CACHING)) {
            if (!known && proven) {
                outlet.write(new MySqlWriter().int8(MORE).int8(FAST).toBytes());
            }
            letIn();
            return true;
        }
        outlet.write(new MySqlWriter()
                .int8(OTHER_PLUGIN)
                .string(NATIVE)
                .bytes(challenge())
                .int8(0)
                .toBytes());
        return false;
    }

    /** Says that the client is in, as production's server says it. */
    void letIn() {
        Ok recorded = facts.known(ServerKeys.LOGIN, Ok.class);
        if (recorded != null) {
            session.status(recorded.status() & ~ServerStatus.IN_TRANSACTION);
        }
        Ok ok = recorded == null ? Ok.of(0) : recorded;
        outlet.write(Track.withDatabase(ok, session.database())
                .withStatus(session.status())
                .encode(0, session.agreed()));
    }

    /** Clients take a zero for the end. */
    private static byte[] challenge() {
        byte[] challenge = new byte[ServerGreeting.CHALLENGE];
        for (int i = 0; i < challenge.length; i++) {
            challenge[i] = (byte) ThreadLocalRandom.current().nextInt('!', '~');
        }
        return challenge;
    }
}
