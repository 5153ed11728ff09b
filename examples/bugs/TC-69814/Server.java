import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicInteger;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpSession;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** A shop's pages, put together of fragments that are asked for over HTTP with the visitor's cookie. */
public final class Server {
    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        tomcat.setPort(Integer.parseInt(arguments[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "8");
        Context context = tomcat.addContext("", null);
        context.setSessionCookiePath("/");
        context.setValidateClientProvidedNewSessionId(false);
        add(context, "pages", new Pages());
        add(context, "fragments", new Fragments());
        add(context, "basket", new Basket());
        add(context, "articles", new Articles());
        tomcat.start();
        tomcat.getServer().await();
    }

    private static void add(Context context, String name, HttpServlet servlet) {
        Tomcat.addServlet(context, name, servlet);
        context.addServletMappingDecoded("/" + name + "/*", name);
    }

    private static String last(HttpServletRequest request) {
        return request.getRequestURI().replaceAll(".*/", "");
    }

    /** Whole pages; 502 if a fragment of one can't be had. */
    private static final class Pages extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String visitor = request.getSession().getId();
            String[] names = last(request).equals("start") ? new String[] {"basket", "news"} : new String[] {"news"};
            StringBuilder page = new StringBuilder();
            for (String name : names) {
                HttpURLConnection fragment = (HttpURLConnection)
                        new URL("http://127.0.0.1:" + request.getLocalPort() + "/fragments/" + name).openConnection();
                fragment.setRequestProperty("Cookie", "JSESSIONID=" + visitor);
                if (fragment.getResponseCode() != 200) {
                    response.sendError(502, "no " + name);
                    return;
                }
                page.append(new String(fragment.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            }
            response.getWriter().print(page);
        }
    }

    /** Parts of pages; that with a visitor's own things is for those alone who have come with their cookie. */
    private static final class Fragments extends HttpServlet {
        private final AtomicInteger read = new AtomicInteger();

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession(false);
            if (last(request).equals("basket")) {
                if (session == null || session.isNew()) {
                    response.sendError(403, "no visitor");
                } else {
                    response.getWriter().print("in the basket: " + session.getAttribute("articles"));
                }
            } else {
                response.getWriter().print("read " + read.incrementAndGet() + " times, by you " + (session != null));
            }
        }
    }

    /** What a visitor wants to buy. */
    private static final class Basket extends HttpServlet {
        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            HttpSession session = request.getSession();
            Object before = session.getAttribute("articles");
            session.setAttribute("articles", (before == null ? 0 : (Integer) before) + 1);
            response.setStatus(session.isNew() ? 201 : 200);
            response.getWriter().print(session.getAttribute("articles"));
        }
    }

    /** What there is. */
    private static final class Articles extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int article = Integer.parseInt(last(request));
            if (article > 80) {
                response.sendError(404);
            } else {
                response.getWriter().print("article " + article + " for " + article * 7 % 50);
            }
        }
    }
}
