package dev.understudy.agent.fork;

import java.net.URL;
import java.net.URLClassLoader;

/** Starts the application as a framework would: in a child loader that looks at its own classes first. */
public final class OwnLoaderMain {
    private OwnLoaderMain() {}

    public static void main(String[] arguments) throws Exception {
        URL classes = OwnLoaderMain.class.getProtectionDomain().getCodeSource().getLocation();
        ClassLoader loader = new ChildFirst(new URL[] {classes}, OwnLoaderMain.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(loader);
        loader.loadClass("dev.understudy.agent.fork.SmallServer")
                .getMethod("main", String[].class)
                .invoke(null, (Object) arguments);
    }

    private static final class ChildFirst extends URLClassLoader {
        ChildFirst(URL[] classes, ClassLoader parent) {
            super(classes, parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded == null && name.startsWith("dev.understudy.agent.fork.")) {
                    return findClass(name);
                }
                return loaded == null ? super.loadClass(name, resolve) : loaded;
            }
        }
    }
}
