package dev.understudy.it.bench.agent;

import dev.understudy.it.overhead.WeavingOnly;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** How JVMs with our own agent are started. */
final class Jvms {
    /** What is looked at: our work, and the libraries that it uses. */
    static final List<String> WOVEN = List.of("dev.understudy.it.overhead.work", "com.fasterxml.jackson", "org.h2");

    private static final String HEAP = "-Xmx512m";

    private final Path folder;
    private final String classPath;

    /** @param database H2's jar */
    Jvms(Path folder, Path database) {
        this.folder = folder;
        this.classPath = System.getProperty("java.class.path") + File.pathSeparator + database;
    }

    /** Where they and what they need may leave files. */
    Path folder() {
        return folder;
    }

    /** The command up to the main class. */
    List<String> java(List<String> options) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(HEAP, "-XX:+UseSerialGC"));
        command.addAll(options);
        command.addAll(List.of("-cp", classPath));
        return command;
    }

    /** The product's agent, with a sidecar that isn't there. */
    static List<String> product(Path agent, List<String> packages, String more) {
        return List.of("-javaagent:" + agent + "=debug=true,sidecar=http://127.0.0.1:9,packages="
                + String.join(";", packages) + more);
    }

    /** Its place-holders and probes, and nobody who decides about them. */
    List<String> weavingOnly(Path agent, List<String> packages) throws IOException {
        return weavingOnly(agent, packages, "");
    }

    /** The same with a class whose branches and values are told of, if it isn't empty. */
    List<String> weavingOnly(Path agent, List<String> packages, String deep) throws IOException {
        Path jar = Files.createTempFile(folder, "weaving", ".jar");
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", WeavingOnly.class.getName());
        attributes.putValue("Boot-Class-Path", agent.toAbsolutePath().toString());
        attributes.putValue("Can-Redefine-Classes", "true");
        attributes.putValue("Can-Retransform-Classes", "true");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        return List.of(
                "-javaagent:" + jar + "=" + agent.toAbsolutePath() + ";" + String.join(";", packages) + "|" + deep);
    }
}
