import java.io.IOException;
import java.nio.file.Files;
import javax.servlet.MultipartConfigElement;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.catalina.Context;
import org.apache.catalina.Wrapper;
import org.apache.catalina.startup.Tomcat;

/** Takes orders, of which each has to say its total; at most ten parameters are allowed. */
public final class Server {
    public static void main(String[] arguments) throws Exception {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory("tomcat").toString());
        tomcat.setPort(Integer.parseInt(arguments[0]));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setMaxParameterCount(10);
        Context context = tomcat.addContext("", null);
        Wrapper orders = Tomcat.addServlet(context, "orders", new Orders());
        orders.setMultipartConfigElement(new MultipartConfigElement(""));
        context.addServletMappingDecoded("/orders", "orders");
        tomcat.start();
        tomcat.getServer().await();
    }

    /** Says 422 to an order without a total. */
    private static final class Orders extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("orders of " + request.getParameter("customer"));
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            String type = String.valueOf(request.getContentType());
            int parts = type.startsWith("multipart/") ? request.getParts().size() : 0;
            if (request.getParameter("total") == null) {
                response.setStatus(422);
                response.getWriter().print("an order needs a total");
            } else {
                response.getWriter().print("ordered by " + request.getParameter("customer") + ", parts: " + parts);
            }
        }
    }
}
