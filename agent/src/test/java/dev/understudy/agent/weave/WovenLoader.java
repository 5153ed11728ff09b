package dev.understudy.agent.weave;

import dev.understudy.agent.Fuzz;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Random;
import java.util.function.Predicate;

import static org.assertj.core.api.Assertions.assertThat;

/** Defines the chosen classes itself, woven, from the class files its parent sees. */
public final class WovenLoader extends ClassLoader {
    /** All tests share one directory, since the probes behind it are the JVM's. */
    public static final ProbeDirectory DIRECTORY = new ProbeDirectory();

    private final Predicate<String> chosen;
    private final Weaver weaver;

    public WovenLoader(Predicate<String> chosen) {
        this(chosen, DIRECTORY);
    }

    WovenLoader(Predicate<String> chosen, ProbeDirectory directory) {
        this(chosen, new Weaver(directory));
    }

    WovenLoader(Predicate<String> chosen, Weaver weaver) {
        super(WovenLoader.class.getClassLoader());
        this.chosen = chosen;
        this.weaver = weaver;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded == null && chosen.test(name)) {
                loaded = define(name, classFile(name));
            }
            return loaded == null ? super.loadClass(name, resolve) : loaded;
        }
    }

    public Class<?> define(String name, byte[] classFile) {
        byte[] woven = weaver.weave(this, classFile);
        byte[] bytes = woven == null ? classFile : woven;
        return defineClass(name, bytes, 0, bytes.length);
    }

    public static byte[] classFile(String name) {
        try (InputStream in =
                WovenLoader.class.getClassLoader().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new IllegalArgumentException(name);
            }
            return in.readAllBytes();
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    /** Weaves the class file with bytes changed at random: nothing but a refusal may come of it. */
    static void weaveGarbage(Weaver weaver, byte[] good) {
        WovenLoader own = new WovenLoader(name -> false);
        for (int seed = 0; seed < Fuzz.rounds(500); seed++) {
            Random random = new Random(seed);
            byte[] bad = good.clone();
            for (int i = 0; i < 3; i++) {
                bad[random.nextInt(bad.length)] = (byte) random.nextInt();
            }
            try {
                weaver.weave(own, bad);
            } catch (RuntimeException refused) {
                assertThat(refused).isNotNull(); // the transformer leaves the class as it was
            }
        }
    }
}
