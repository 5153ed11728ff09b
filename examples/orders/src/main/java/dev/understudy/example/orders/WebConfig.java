package dev.understudy.example.orders;

import dev.understudy.example.orders.account.SignedInInterceptor;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Which paths need a session. */
@Configuration
class WebConfig implements WebMvcConfigurer {
    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new SignedInInterceptor())
                .addPathPatterns("/orders/**", "/logout", "/recent", "/attachments/**");
    }
}
