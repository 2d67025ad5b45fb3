package com.example;

import io.plat.client.Access;
import io.plat.client.AccessClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Locale;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authorization.AuthorizationDecision;
import org.springframework.security.authorization.AuthorizationManager;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.access.intercept.RequestAuthorizationContext;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A service whose requests a decider allows or denies. */
@SpringBootApplication
@RestController
public class Reports {
    public static void main(String[] arguments) {
        SpringApplication.run(Reports.class, arguments);
    }

    @Bean
    AccessClient decider(@Value("${decider.url}") URI url, @Value("${decider.certificates}") Path pki)
            throws IOException {
        return AccessClient.builder()
                .decider(url)
                .certificates(pki.resolve("ca.crt"), pki.resolve("reports.crt"), pki.resolve("reports.key"))
                .build();
    }

    /** Checks a request. Spring Security's firewall has already refused ambiguous paths. Without a decision it throws (500), and access is denied. */
    @Bean
    AuthorizationManager<RequestAuthorizationContext> access(AccessClient decider) {
        return (user, context) -> {
            Authentication who = user.get();
            if (who == null || !who.isAuthenticated() || who instanceof AnonymousAuthenticationToken) {
                return new AuthorizationDecision(false);
            }
            String verb = context.getRequest().getMethod().toLowerCase(Locale.ROOT);
            Access access = Access.path(verb, context.getRequest().getRequestURI());
            Access byUser = access.by(who.getName(), "system:authenticated");
            return new AuthorizationDecision(decider.check(byUser).allowed());
        };
    }

    @Bean
    SecurityFilterChain security(HttpSecurity http, AuthorizationManager<RequestAuthorizationContext> access)
            throws Exception {
        return http.authorizeHttpRequests(requests -> requests.anyRequest().access(access))
                .httpBasic(Customizer.withDefaults())
                .build();
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(
                User.withUsername("alice").password("{noop}a").build(),
                User.withUsername("bob").password("{noop}b").build());
    }

    @GetMapping("/reports/{name}")
    String report(@PathVariable("name") String name) {
        return "report " + name;
    }
}
