package dev.understudy.agent.bootstrap;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.Enumeration;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * Defines the agent and its libraries from the {@link ClassStore} of the agent's jar, out of the application's sight;
 * their other files are in {@code inst/}.
 *
 * <p>Its parent is the platform class loader, so neither side finds a class of the other.
 */
public final class AgentClassLoader extends ClassLoader {
    static {
        registerAsParallelCapable();
    }

    private static final String ROOT = "inst/";

    private final JarFile jar;
    private final ClassStore classes;
    private final File file;
    private final String base;
    private final boolean alone;

    private AgentClassLoader(JarFile jar, File file, ClassLoader parent, boolean alone) {
        super("understudy", parent);
        this.jar = jar;
        this.classes = new ClassStore(jar);
        this.file = file;
        this.alone = alone;
        this.base = "jar:" + file.toURI() + "!/";
    }

    /**
     * The loader for an agent jar, which stays open as long as the JVM lives.
     *
     * @throws IOException when the jar can't be read
     */
    public static AgentClassLoader over(File jar) throws IOException {
        return new AgentClassLoader(new JarFile(jar, false), jar, ClassLoader.getPlatformClassLoader(), false);
    }

    /**
     * The same with a bootstrap part of its own, for as long as the JVM may not be touched.
     *
     * @throws IOException when the jar can't be read
     */
    public static AgentClassLoader aloneOver(File jar) throws IOException {
        return new AgentClassLoader(new JarFile(jar, false), jar, ClassLoader.getPlatformClassLoader(), true);
    }

    /**
     * The same where the agent is the program itself, whose own loader has the bootstrap part.
     *
     * @throws IOException when the jar can't be read
     */
    public static AgentClassLoader ofProgram(File jar) throws IOException {
        return new AgentClassLoader(new JarFile(jar, false), jar, AgentClassLoader.class.getClassLoader(), false);
    }

    /** The agent's jar. */
    public File file() {
        return file;
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try {
            byte[] bytes = classes.find(name);
            if (bytes == null && alone) {
                bytes = visible(name);
            }
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException problem) {
            throw new ClassNotFoundException(name, problem);
        }
    }

    private byte @Nullable [] visible(String name) throws IOException {
        JarEntry entry = jar.getJarEntry(name.replace('.', '/') + ".class");
        if (entry == null) {
            return null;
        }
        try (InputStream in = jar.getInputStream(entry)) {
            return in.readAllBytes();
        }
    }

    @Override
    protected @Nullable URL findResource(String name) {
        try {
            return jar.getJarEntry(ROOT + name) == null ? null : new URL(base + ROOT + name);
        } catch (IOException problem) {
            return null;
        }
    }

    @Override
    protected Enumeration<URL> findResources(String name) {
        URL found = findResource(name);
        return found == null ? Collections.emptyEnumeration() : Collections.enumeration(Collections.singleton(found));
    }
}
