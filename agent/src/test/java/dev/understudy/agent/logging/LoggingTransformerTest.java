package dev.understudy.agent.logging;

import dev.understudy.agent.bootstrap.ExchangeTraffic;
import dev.understudy.agent.bootstrap.Observed;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.log4j.varia.NullAppender;
import org.apache.logging.log4j.core.LoggerContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/** With the frameworks themselves, each loaded with its weaving. */
final class LoggingTransformerTest {
    static Stream<Class<?>> frameworks() {
        return Stream.of(Logback.class, Log4j.class, OldLog4j.class);
    }

    @ParameterizedTest
    @MethodSource("frameworks")
    void anExchangeThatLogsAnError_isMarked(Class<?> framework) throws Exception {
        @SuppressWarnings("unchecked")
        Consumer<Boolean> logger = (Consumer<Boolean>) new Woven()
                .loadClass(framework.getName())
                .getDeclaredConstructor()
                .newInstance();

        assertThat(observed(logger, true).logged()).isTrue();
        assertThat(observed(logger, false).logged()).isFalse();
    }

    private static Observed observed(Consumer<Boolean> logger, boolean error) throws Exception {
        return ExchangeTraffic.of(() -> {
            logger.accept(error);
            return error;
        });
    }

    /** Loads the frameworks, and what uses them here, anew. */
    private static final class Woven extends ClassLoader {
        private final LoggingTransformer transformer = new LoggingTransformer(Woven::failed);

        Woven() {
            super(LoggingTransformerTest.class.getClassLoader());
        }

        private static void failed(String name, Throwable problem) {
            throw new AssertionError(name, problem);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                boolean own = name.startsWith("ch.qos.logback.")
                        || name.startsWith("org.apache.log")
                        || name.startsWith(LoggingTransformerTest.class.getName() + '$');
                return loaded != null ? loaded : own ? define(name) : super.loadClass(name, resolve);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            String path = name.replace('.', '/');
            try (InputStream in = getResourceAsStream(path + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] plain = in.readAllBytes();
                byte @Nullable [] woven = transformer.transform(this, path, null, null, plain);
                byte[] file = woven == null ? plain : woven;
                return defineClass(name, file, 0, file.length);
            } catch (IOException problem) {
                throw new ClassNotFoundException(name, problem);
            }
        }
    }

    /** Logs an error, or a warning. */
    public static final class Logback implements Consumer<Boolean> {
        private final ch.qos.logback.classic.Logger logger =
                new ch.qos.logback.classic.LoggerContext().getLogger("shop");

        @Override
        public void accept(Boolean error) {
            if (error) {
                logger.error("no stock");
            } else {
                logger.warn("little stock");
            }
        }
    }

    /** Logs an error, or a warning. */
    public static final class Log4j implements Consumer<Boolean> {
        private final org.apache.logging.log4j.core.Logger logger = new LoggerContext("shop").getLogger("shop");

        @Override
        public void accept(Boolean error) {
            logger.setLevel(org.apache.logging.log4j.Level.INFO);
            if (error) {
                logger.fatal("no stock");
            } else {
                logger.warn("little stock");
            }
        }
    }

    /** Logs an error, or a warning. */
    public static final class OldLog4j implements Consumer<Boolean> {
        private final org.apache.log4j.Logger logger = org.apache.log4j.Logger.getLogger("shop");

        @Override
        public void accept(Boolean error) {
            logger.removeAllAppenders();
            logger.addAppender(new NullAppender());
            if (error) {
                logger.error("no stock");
            } else {
                logger.warn("little stock");
            }
        }
    }
}
