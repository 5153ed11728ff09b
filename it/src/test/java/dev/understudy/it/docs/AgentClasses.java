package dev.understudy.it.docs;

import dev.understudy.it.stage.Checkout;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;

/** The agent's own classes; in its jar they are where only its own class loader looks. */
final class AgentClasses {
    private AgentClasses() {}

    static Class<?> named(String name) throws ClassNotFoundException {
        try {
            URL classes =
                    Checkout.root().resolve("agent/target/classes").toUri().toURL();
            return new URLClassLoader(new URL[] {classes}).loadClass("dev.understudy.agent." + name);
        } catch (MalformedURLException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
