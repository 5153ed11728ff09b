package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.compare.NotCompared;
import dev.understudy.divergence.sql.PostgresText;
import dev.understudy.divergence.wire.postgres.Formats;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.FrontendFramer;
import dev.understudy.divergence.wire.postgres.LongText;
import dev.understudy.divergence.wire.postgres.MalformedMessageException;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgSink;
import dev.understudy.divergence.wire.postgres.StartupPacket;
import dev.understudy.sidecar.frame.ClientBytes;
import dev.understudy.sidecar.frame.RequestStream;
import dev.understudy.sidecar.frame.postgres.PgRequest.Kind;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the client's bytes into requests.
 *
 * <p>A batch goes on when it is whole, when its client waits for a part of the answer (Flush), or when
 * {@value #MOST_HELD} bytes of it are there; the rest goes on as it comes. Confined to its lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
final class PgRequestStream<X> implements RequestStream {
    /** Bytes that wait here for the rest of their request, but for a single message. */
    static final int MOST_HELD = 16 * 1024;

    /** Bytes of a message that are looked at whole; of longer ones as much as {@link FrontendFramer} says. */
    private static final int LONGEST = 32 * 1024;

    private final Cut<X> cut;
    private final FrontendFramer framer = new FrontendFramer(new Messages(), LONGEST);
    private final ClientBytes<X> bytes;
    private final PgStatements statements = new PgStatements();

    /** What is being put together; null between requests. */
    private @Nullable PgRequest request;

    /** Whether the last request before this was text, so that its COPY ends without a Sync. */
    private boolean simple;

    /** Bytes of all messages that have ended, and bytes handed on. */
    private long framed;

    private long gone;

    PgRequestStream(Cut<X> cut) {
        this.cut = cut;
        this.bytes = new ClientBytes<>(cut);
    }

    @Override
    public void data(ByteBuf data, long at) {
        if (bytes.isUnframed()) {
            cut.raw(data, at);
            return;
        }
        framer.feed(bytes.add(data, at));
        if (!bytes.isUnframed() && (bytes.isOpen() || bytes.readable() > MOST_HELD)) {
            handOn(within(kind()), bytes.readable());
        }
        bytes.compact();
    }

    @Override
    public void end(long at) {
        bytes.end(at);
        framer.end();
        if (!bytes.isUnframed() && (request != null || bytes.readable() > 0)) {
            giveUp(NotCompared.UNFRAMED, "ended within a request");
        }
    }

    @Override
    public void leave(String reason) {
        if (!bytes.isUnframed()) {
            giveUp(PgReplyStream.isEncryption(reason) ? NotCompared.ENCRYPTED : NotCompared.UNFRAMED, reason);
        }
    }

    @Override
    public void release() {
        bytes.release();
    }

    /** What begins with the first byte that is here. */
    private Kind kind() {
        return switch (bytes.readable() == 0 ? 0 : bytes.first()) {
            case 'Q' -> Kind.QUERY;
            case 'F' -> Kind.FUNCTION;
            case 'd' -> Kind.COPY_DATA;
            case 'p' -> Kind.PASSWORD;
            default -> Kind.BATCH;
        };
    }

    /** The request that the next message belongs to. */
    private PgRequest within(Kind kind) {
        PgRequest found = request == null ? new PgRequest(kind) : request;
        request = found;
        return found;
    }

    /** All messages so far belong to what has been asked, which is complete with them. */
    private void whole(PgRequest asked) {
        handOn(asked, ended());
        asked.end();
        bytes.endRequest();
        request = null;
    }

    /** Bytes of messages that have ended, as far as they are here. */
    private int ended() {
        return (int) Math.min(bytes.readable(), Math.max(0, framed - gone));
    }

    private void handOn(PgRequest asked, int length) {
        gone += length;
        if (bytes.isOpen()) {
            bytes.goOn(length);
        } else {
            bytes.beginRequest(asked, length);
        }
    }

    /** What nobody answers. */
    private void unanswered() {
        PgRequest open = request;
        if (open != null) { // a batch without its Sync
            whole(open);
            return;
        }
        int length = ended();
        gone += length;
        bytes.goOn(length);
    }

    private void giveUp(NotCompared why, String reason) {
        request = null;
        bytes.unframed(why, reason);
        bytes.goOn(bytes.readable());
    }

    private void take(Frontend message) {
        if (message instanceof Frontend.Query query) {
            text(query.sql());
        } else if (message instanceof Frontend.Parse parse) {
            within(Kind.BATCH).about(statements.parsed(parse));
        } else if (message instanceof Frontend.Bind bind) {
            statements.bound(bind);
            within(Kind.BATCH).about(statements.statement(bind.statement()));
        } else if (message instanceof Frontend.Describe describe) {
            PgStatement statement = describe.portal()
                    ? statements.portal(describe.name()).statement()
                    : statements.statement(describe.name());
            within(Kind.BATCH).add(new PgRequest.Step(false, statement, Formats.TEXT));
        } else if (message instanceof Frontend.Execute execute) {
            PgStatements.Portal portal = statements.portal(execute.portal());
            within(Kind.BATCH).add(new PgRequest.Step(true, portal.statement(), portal.formats()));
        } else if (message instanceof Frontend.Close close) {
            within(Kind.BATCH);
            statements.closed(close);
        } else if (message instanceof Frontend.FunctionCall) {
            whole(within(Kind.FUNCTION));
        } else if (message instanceof Frontend.Plain plain) {
            plain(plain);
        }
    }

    private void text(String sql) {
        PgRequest asked = within(Kind.QUERY);
        List<String> all = LongText.shortened(sql) ? List.of(sql) : PostgresText.statements(sql);
        for (String statement : all) {
            asked.add(new PgRequest.Step(true, PgStatement.of(statement), Formats.TEXT));
        }
        simple = true;
        whole(asked);
    }

    private void plain(Frontend.Plain message) {
        switch (message) {
            case SYNC -> {
                simple = false;
                whole(within(Kind.BATCH));
            }
            case FLUSH -> handOn(within(Kind.BATCH), ended());
            case COPY_DATA -> within(Kind.COPY_DATA);
            case COPY_END -> {
                PgRequest asked = within(Kind.COPY_DATA);
                if (simple) {
                    whole(asked);
                }
            }
            case SECRET -> whole(within(Kind.PASSWORD));
            case TERMINATE -> unanswered();
        }
    }

    private final class Messages implements PgSink {
        @Override
        public void startup(StartupPacket packet, int rawLength) {
            framed += rawLength;
            switch (packet.kind()) {
                case STARTUP -> {
                    PgRequest asked = within(Kind.STARTUP);
                    asked.about(packet.parameters().getOrDefault("database", ""));
                    whole(asked);
                }
                case SSL_REQUEST, GSSENC_REQUEST -> whole(within(Kind.ENCRYPTION));
                case CANCEL -> unanswered();
            }
        }

        @Override
        public void message(PgMessage message, int rawLength) {
            framed += rawLength;
            if (bytes.isUnframed()) {
                return;
            }
            try {
                take(Frontend.decode(message));
            } catch (MalformedMessageException malformed) {
                giveUp(NotCompared.UNFRAMED, "a malformed message");
            }
        }

        @Override
        public void shortened(Frontend statement, char type, int rawLength) {
            framed += rawLength;
            if (!bytes.isUnframed()) {
                take(statement);
            }
        }

        @Override
        public void oversized(char type, long rawLength) {
            framed += rawLength;
            if (bytes.isUnframed()) {
                return;
            }
            switch (type) {
                case 'd' -> within(Kind.COPY_DATA);
                case 'F' -> whole(within(Kind.FUNCTION));
                case 'B' -> within(Kind.BATCH);
                case 'p' -> whole(within(Kind.PASSWORD));
                default -> giveUp(NotCompared.UNFRAMED, "a message that is too long");
            }
        }

        @Override
        public void unframed(String why, int rawLength) {
            if (!bytes.isUnframed()) {
                giveUp(PgReplyStream.isEncryption(why) ? NotCompared.ENCRYPTED : NotCompared.UNFRAMED, why);
            }
        }
    }
}
