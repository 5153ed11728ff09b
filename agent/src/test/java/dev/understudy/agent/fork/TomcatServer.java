package dev.understudy.agent.fork;

import java.nio.file.Files;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** The application in a forked JVM on Tomcat, a filter before a servlet, with {@link GrpcPrices} beside it. */
public final class TomcatServer {
    private TomcatServer() {}

    public static void main(String[] arguments) throws Exception {
        System.out.println("grpc " + GrpcPrices.start(true) + ' ' + GrpcPrices.start(false));
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("understudy-tomcat").toString());
        tomcat.setHostname("127.0.0.1");
        tomcat.setPort(0);
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "prices", new PriceServlets.Prices());
        context.addServletMapping("/*", "prices");
        Tomcat.addServlet(context, "later", new PriceServlets.Later()).setAsyncSupported(true);
        context.addServletMapping("/later/*", "later");
        Tomcat.addServlet(context, "meetings", new PriceServlets.Meetings());
        context.addServletMapping("/meet/*", "meetings");
        FilterDef filter = new FilterDef();
        filter.setFilterName("gate");
        filter.setFilter(new PriceServlets.Gate());
        filter.setAsyncSupported("true");
        context.addFilterDef(filter);
        FilterMap everything = new FilterMap();
        everything.setFilterName("gate");
        everything.addURLPattern("/*");
        context.addFilterMap(everything);
        if (Boolean.getBoolean("h2c")) {
            tomcat.getConnector().addUpgradeProtocol(new Http2Protocol());
        }
        tomcat.getConnector().setProperty("useVirtualThreads", System.getProperty("virtual", "false"));
        tomcat.start();
        System.out.println("port " + tomcat.getConnector().getLocalPort());
        tomcat.getServer().await();
    }
}
