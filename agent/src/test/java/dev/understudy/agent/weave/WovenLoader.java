package dev.understudy.agent.weave;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.function.Predicate;

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
}
