package dev.understudy.sidecar.command.steer;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A command that adds something at a place of a method. */
abstract class AddingAtPlace extends AddingCommand {
    @Parameters(
            index = "0",
            paramLabel = "METHOD",
            description = "com.shop.Cart#total, one of several as com.shop.Cart#total(int,String), a constructor as "
                    + "com.shop.Cart#<init>(int), or a pattern as of probes: com.shop.*Cart#total, com.shop.*, "
                    + "@jakarta.ws.rs.GET. A pattern may mean 100 methods.")
    private String method = "";

    @Option(
            names = "--at",
            paramLabel = "PLACE",
            defaultValue = "exit",
            description = "entry, exit, throw or line:42 (default: ${DEFAULT-VALUE}).")
    private String at = "";

    @Override
    String method() {
        return method;
    }

    @Override
    String at() {
        return at;
    }
}
