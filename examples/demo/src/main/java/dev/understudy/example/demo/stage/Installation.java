package dev.understudy.example.demo.stage;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Where the built jars are, below the root of the checkout. */
public record Installation(Path root) {
    Path orders() {
        return root.resolve("examples/orders/target/orders.jar");
    }

    Path ordersSource() {
        return root.resolve("examples/orders");
    }

    Path pricing() {
        return root.resolve("examples/pricing/target/pricing.jar");
    }

    Path agent() {
        return root.resolve("agent/target/understudy-agent.jar");
    }

    Path sidecar() throws StartFailed {
        return versioned("sidecar");
    }

    Path aggregator() throws StartFailed {
        return versioned("aggregator");
    }

    /** The statements that lay out and fill the orders database. */
    Path sql(String name) {
        return root.resolve("examples/orders/db").resolve(name);
    }

    /** A build folder for the logs of the run before. */
    Path lastRun() {
        return root.resolve("examples/demo/target/last-run");
    }

    private Path versioned(String module) throws StartFailed {
        Path target = root.resolve(module).resolve("target");
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(target, module + "-*.jar")) {
            for (Path jar : jars) {
                String name = jar.getFileName().toString();
                if (!name.endsWith("-sources.jar") && !name.endsWith("-javadoc.jar") && !name.endsWith("-tests.jar")) {
                    return jar;
                }
            }
        } catch (IOException e) {
            throw new StartFailed("No jar of the " + module, e);
        }
        throw new StartFailed("No jar of the " + module + " in " + target + " (expected: mvn package has run)");
    }
}
