package dev.understudy.aggregator.postgres.record;

import dev.understudy.aggregator.fact.ServerFacts;
import dev.understudy.aggregator.postgres.exchange.PgReply;
import dev.understudy.aggregator.postgres.exchange.ServerParameters;
import dev.understudy.aggregator.postgres.exchange.SettingValue;
import dev.understudy.aggregator.postgres.exchange.StartOptions;
import dev.understudy.aggregator.postgres.exchange.TimedAnswers;
import dev.understudy.aggregator.postgres.sql.PgStatementKind;
import dev.understudy.aggregator.postgres.sql.Settings;
import dev.understudy.aggregator.record.ConnectionRecorder;
import dev.understudy.aggregator.record.Recording;
import dev.understudy.aggregator.record.Unrecorded;
import dev.understudy.aggregator.sql.SqlSpelling;
import dev.understudy.divergence.wire.postgres.BackendFramer;
import dev.understudy.divergence.wire.postgres.Frontend;
import dev.understudy.divergence.wire.postgres.FrontendFramer;
import dev.understudy.divergence.wire.postgres.LongText;
import dev.understudy.divergence.wire.postgres.MalformedMessageException;
import dev.understudy.divergence.wire.postgres.MessageTaker;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgReader;
import dev.understudy.divergence.wire.postgres.PgSink;
import dev.understudy.divergence.wire.postgres.StartupPacket;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Frames one production connection and follows it through its start; the rest is the {@link PendingMessages}'s.
 *
 * <p>Passwords and SASL messages are dropped here unread. A message that doesn't fit ends the recording of this
 * connection.
 */
public final class PgConnectionRecorder implements ConnectionRecorder {
    /** No server announces as many parameters, or any that are as long. */
    private static final int MOST_PARAMETERS = 500;

    private static final int LONGEST_PARAMETER = 10_000;

    private final Recording<PgReply> recording;
    private final ServerFacts facts;
    private final Settings settings;
    private final Map<String, String> announced = new HashMap<>();
    /** Since the server was ready for the last time. */
    private final Map<String, String> reported = new HashMap<>();

    private final FrontendFramer frontend;
    private final BackendFramer backend;
    private final PendingMessages dialogue;
    private final Hearing hearing;
    private String role = "";
    private StartOptions options = new StartOptions(Map.of());
    private int parameters;
    private boolean starting = true;
    private boolean ended;

    /** Whether the client has said that it ends the connection. */
    private boolean left;

    private long nanos;

    /** Makes one to which white space and comments don't count. */
    public PgConnectionRecorder(Recording<PgReply> recording, ServerFacts facts) {
        this(recording, facts, SqlSpelling.MEANING);
    }

    /** @param spelling whether white space and comments count */
    public PgConnectionRecorder(Recording<PgReply> recording, ServerFacts facts, SqlSpelling spelling) {
        this.recording = recording;
        this.settings = new Settings(spelling);
        this.facts = facts;
        PgPublication publication = new PgPublication(recording, facts, settings);
        Results results = new Results(recording.connection(), publication, facts, settings);
        int limit = (int) Math.min(Integer.MAX_VALUE / 4, recording.largestMessage());
        this.hearing = new Hearing(facts.notifications(), settings, recording);
        this.dialogue = new PendingMessages(limit, results, settings, publication::begin);
        this.frontend = new FrontendFramer(new Requests(), limit);
        this.backend = new BackendFramer(new Replies(), limit);
    }

    @Override
    public void request(ByteBuffer data, long at) {
        nanos = at;
        guarded(() -> frontend.feed(data));
    }

    @Override
    public void reply(ByteBuffer data, long at) {
        nanos = at;
        guarded(() -> backend.feed(data));
    }

    @Override
    public long heldBytes() {
        return frontend.heldBytes() + backend.heldBytes() + dialogue.heldBytes() + settings.heldBytes();
    }

    @Override
    public void requestEnd(long at) {
        left = true;
    }

    @Override
    public void replyEnd(long at) {
        if (!left) {
            hearing.cut(null);
        }
    }

    @Override
    public void closed(long at) {
        dialogue.closed();
        hearing.closed();
    }

    @Override
    public void lost(long at) {
        hearing.lost();
        dialogue.closed();
    }

    private void guarded(Runnable framing) {
        if (ended) {
            return;
        }
        try {
            framing.run();
        } catch (MalformedMessageException malformed) {
            unframed(String.valueOf(malformed.getMessage()));
        } catch (LostTrackException lost) {
            ended = true;
            hearing.lost();
            recording.unframed(Unrecorded.TOO_LARGE, String.valueOf(lost.getMessage()));
        }
    }

    private void unframed(String why) {
        if (!ended) {
            ended = true;
            hearing.lost();
            boolean encrypted = why.equals("TLS") || why.startsWith("GSSAPI");
            recording.unframed(encrypted ? Unrecorded.ENCRYPTED : Unrecorded.NOT_THE_PROTOCOL, why);
        }
    }

    /** What the client sends. */
    private final class Requests implements PgSink {
        @Override
        public void startup(StartupPacket packet, int rawLength) {
            switch (packet.kind()) {
                case SSL_REQUEST, GSSENC_REQUEST -> backend.expectEncryptionAnswer();
                case CANCEL -> {}
                case STARTUP -> {
                    options = StartOptions.of(packet.parameters());
                    settings.start(packet.parameters());
                }
            }
        }

        @Override
        public void message(PgMessage message, int rawLength) {
            left |= message.type() == 'X';
            if (!ended && "dcf".indexOf(message.type()) >= 0) {
                dialogue.copied(message);
            } else if (!ended && message.type() != 'p') {
                dialogue.asked(Frontend.decode(message), message.wireLength(), nanos);
            }
        }

        @Override
        public void shortened(Frontend statement, char type, int rawLength) {
            if (!ended && PgStatementKind.readable(statement)) {
                dialogue.asked(statement, LongText.bytes(statement), nanos);
            } else {
                oversized(type, rawLength);
            }
        }

        @Override
        public @Nullable MessageTaker large(char type, int length) {
            return type == 'd' ? MessageTaker.inPieces(type, piece -> message(piece, 0)) : null;
        }

        @Override
        public void oversized(char type, long rawLength) {
            dialogue.oversized(type, nanos);
        }

        @Override
        public void unframed(String reason, int rawLength) {
            PgConnectionRecorder.this.unframed(reason);
        }
    }

    /** What the server sends. */
    private final class Replies implements PgSink {
        @Override
        public void encryptionAnswer(char answer, int rawLength) {
            if (answer != 'N') {
                PgConnectionRecorder.this.unframed(answer == 'S' ? "TLS" : "GSSAPI encryption");
            }
        }

        @Override
        public void message(PgMessage message, int rawLength) {
            if (ended) {
                return;
            }
            switch (message.type()) {
                case 'S' -> parameter(message.reader());
                case 'N' -> dialogue.notice(message);
                case 'A' -> hearing.notified(message.reader(), dialogue.answering());
                case 'K' -> hearing.served(message.reader());
                case 'R', 'v' -> {}
                default -> {
                    if (unasked(message)) {
                        ended = true;
                        hearing.cut(message);
                    } else if (PgErrors.isFatal(message)) {
                        ended = true;
                        if (!starting) {
                            dialogue.ended(message, nanos);
                        } else if (StartOptions.refuses(message)) {
                            startEnded(message);
                        }
                    } else if (!starting) {
                        dialogue.answered(message, nanos);
                        if (message.type() == 'Z') {
                            if (message.reader().int8() == 'E') {
                                settings.failed();
                            }
                            worded();
                            hearing.ready();
                        }
                    } else if (message.type() == 'Z') {
                        started();
                    }
                }
            }
        }

        @Override
        public @Nullable MessageTaker large(char type, int length) {
            return ended ? null : dialogue.large(type, length);
        }

        @Override
        public void oversized(char type, long rawLength) {
            dialogue.lost(type);
        }

        @Override
        public void unframed(String reason, int rawLength) {
            PgConnectionRecorder.this.unframed(reason);
        }

        /** Whether the server says by this that it ends the connection: an administrator or a time-out wanted it. */
        private boolean unasked(PgMessage message) {
            return PgErrors.isFatal(message) && !starting && !dialogue.answering();
        }

        private void parameter(PgReader reader) {
            String name = reader.string();
            String value = reader.string();
            parameters += settings.get(name) == null ? 1 : 0;
            if (parameters > MOST_PARAMETERS || name.length() + value.length() > LONGEST_PARAMETER) {
                throw new MalformedMessageException("parameters that no server has");
            }
            settings.announce(name, value);
            (starting ? announced : reported).put(name, value);
        }

        /** What was set by now is what the server has told of. */
        private void worded() {
            reported.forEach((name, words) -> {
                String value = settings.chose(name.toLowerCase(Locale.ROOT)) ? settings.get(name) : null;
                if (value != null && !value.equals(words)) {
                    SettingValue key = new SettingValue(name, value);
                    facts.learn(key, new SettingValue(name, words), value.length() + (long) words.length());
                }
            });
            reported.clear();
            if (!settings.role().equals(role)) {
                rights();
            }
        }

        private void startEnded(PgMessage end) {
            facts.learn(
                    options, options.bytes(), TimedAnswers.OfSession.class, TimedAnswers.OfSession::new, end, nanos);
        }

        /** Whether this role is a superuser, the server has said by now. */
        private void rights() {
            role = settings.role();
            String superuser = settings.get(SettingValue.SUPERUSER);
            if (superuser != null) {
                facts.learn(
                        new SettingValue(SettingValue.SUPERUSER, role),
                        new SettingValue(SettingValue.SUPERUSER, superuser),
                        role.length());
            }
        }

        private void started() {
            starting = false;
            startEnded(StartOptions.ACCEPTED);
            rights();
            facts.learnOfServer(ServerParameters.KEY, new ServerParameters(announced));
            announced.clear();
        }
    }
}
