package dev.understudy.agent.weave;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.net.URLStreamHandler;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.security.cert.Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

final class ApplicationCodeTest {
    @Test
    void aSpringBootJar_ownsItsClassesAndNotItsLibraries() throws Exception {
        ApplicationCode code = ApplicationCode.ofProgram("/srv/orders.jar --x", "/srv/orders.jar");

        assertThat(code.owns("com/acme/Orders", nested("/srv/orders.jar/!BOOT-INF/classes/!/")))
                .isTrue();
        assertThat(code.owns("com/acme/Lib", nested("/srv/orders.jar/!BOOT-INF/lib/lib.jar!/")))
                .isFalse();
        assertThat(code.owns("org/springframework/boot/loader/launch/Launcher", file("/srv/orders.jar")))
                .isFalse();
    }

    @Test
    void aPlainJar_isOwnAndItsLibrariesAreNot() throws Exception {
        ApplicationCode code = ApplicationCode.ofProgram("app.jar", "app.jar");

        assertThat(code.owns("com/acme/Main", file(new File("app.jar").getAbsolutePath())))
                .isTrue();
        assertThat(code.owns("com/lib/Lib", file("/srv/lib/lib.jar"))).isFalse();
    }

    @Test
    void ofAClassPath_theDirectoriesAndTheMainClassesJarAreOwn() throws Exception {
        ApplicationCode code =
                ApplicationCode.ofProgram("com.acme.Main a b", "main.jar" + File.pathSeparator + "lib.jar");
        ProtectionDomain main = file("/srv/main.jar");

        assertThat(code.owns("com/acme/Early", main)).isFalse();
        assertThat(code.owns("com/acme/Main", main)).isTrue();
        assertThat(code.owns("com/acme/Other", main)).isTrue();
        assertThat(code.owns("com/lib/Lib", file("/srv/lib.jar"))).isFalse();
        assertThat(code.owns("com/acme/Built", file("/srv/target/classes/"))).isTrue();
    }

    @Test
    void aStar_ownsLibrariesTooAndNothingOfTheJdk() throws Exception {
        ApplicationCode code = ApplicationCode.inPackages(List.of("*"));

        assertThat(code.owns("com/lib/Lib", file("/srv/lib.jar"))).isTrue();
        assertThat(code.owns(
                        "com/sun/net/httpserver/Filter$Chain",
                        domain(URI.create("jrt:/jdk.httpserver").toURL())))
                .isFalse();
        assertThat(code.owns("com/lib/Lib$$Lambda", file("/srv/lib.jar"))).isFalse();
        assertThat(code.owns("java/lang/String", null)).isFalse();
    }

    @Test
    void aModulesMainClass_isFoundBehindTheModulesName() throws Exception {
        ApplicationCode code = ApplicationCode.ofProgram("com.acme/com.acme.Main", "");

        assertThat(code.owns("com/acme/Main", file("/srv/mods/acme.jar"))).isTrue();
    }

    @Test
    void aWebApplication_ownsItsClasses() throws Exception {
        ApplicationCode code =
                ApplicationCode.ofProgram("org.apache.catalina.startup.Bootstrap start", "bootstrap.jar");

        assertThat(code.owns("com/acme/Web", file("/srv/webapps/shop/WEB-INF/classes/")))
                .isTrue();
        assertThat(code.owns("com/lib/Lib", file("/srv/webapps/shop/WEB-INF/lib/lib.jar")))
                .isFalse();
    }

    @Test
    void namedPackages_decideAlone() throws Exception {
        ApplicationCode code = ApplicationCode.inPackages(List.of("com.acme", "org.other.One"));

        assertThat(code.owns("com/acme/Main", null)).isTrue();
        assertThat(code.owns("com/acme/sub/Main", file("/srv/lib.jar"))).isTrue();
        assertThat(code.owns("com/acmeandmore/Main", null)).isFalse();
        assertThat(code.owns("org/other/One", null)).isTrue();
        assertThat(code.owns("org/other/One$Inner", null)).isTrue();
        assertThat(code.owns("org/other/Two", file("/srv/target/classes/"))).isFalse();
    }

    @Test
    void classesMadeAtRunTime_areNeverOwn() throws Exception {
        ApplicationCode code = ApplicationCode.inPackages(List.of("com.acme"));

        assertThat(code.owns("com/acme/Orders$$SpringCGLIB$$0", null)).isFalse();
        assertThat(code.owns("com/acme/Order$HibernateProxy$x", null)).isFalse();
        assertThat(code.owns("com/acme/Scala$$anonfun$1", null)).isTrue();
    }

    @Test
    void aClassFromNowhere_isNotOwn() {
        ApplicationCode code = ApplicationCode.ofProgram("com.acme.Main", "x.jar");

        assertThat(code.owns("com/acme/Other", null)).isFalse();
        assertThat(code.owns("com/acme/Other", new ProtectionDomain(null, null)))
                .isFalse();
    }

    private static ProtectionDomain file(String path) throws MalformedURLException {
        return domain(URI.create("file:" + path).toURL());
    }

    private static ProtectionDomain nested(String path) throws MalformedURLException {
        URLStreamHandler none = new URLStreamHandler() {
            @Override
            protected java.net.URLConnection openConnection(URL url) {
                throw new UnsupportedOperationException();
            }
        };
        return domain(newUrl("jar:nested:" + path, none));
    }

    @SuppressWarnings("deprecation") // the only way to a URL of a protocol that isn't installed
    private static URL newUrl(String text, URLStreamHandler handler) throws MalformedURLException {
        return new URL(null, text, handler);
    }

    private static ProtectionDomain domain(URL location) {
        return new ProtectionDomain(new CodeSource(location, (Certificate[]) null), null);
    }
}
