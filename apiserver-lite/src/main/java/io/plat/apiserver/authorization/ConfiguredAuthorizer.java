package io.plat.apiserver.authorization;

import io.plat.engine.webhook.CachingAuthorizer;
import io.plat.engine.webhook.WebhookAuthorizer;
import java.nio.file.Path;
import java.util.Objects;

/** One entry of the file: an authorizer by its name. */
sealed interface ConfiguredAuthorizer {
    /** What messages and metrics call it. */
    String name();

    /**
     * A mode that needs nothing more to be said.
     *
     * @param type the mode, as {@code --authorization-mode} writes it
     */
    record BuiltIn(String name, String type) implements ConfiguredAuthorizer {
        public BuiltIn {
            Objects.requireNonNull(name);
            Objects.requireNonNull(type);
        }
    }

    /**
     * A further decider.
     *
     * @param connection the client configuration file that names it
     * @param asking in which vocabulary, and how long
     * @param caching how long answers are remembered
     * @param failsClosed whether its failure ends the asking ({@code failurePolicy: Deny})
     * @param conditions which requests it is asked about
     */
    record Webhook(
            String name,
            Path connection,
            WebhookAuthorizer.Settings asking,
            CachingAuthorizer.Settings caching,
            boolean failsClosed,
            MatchConditions conditions)
            implements ConfiguredAuthorizer {
        public Webhook {
            Objects.requireNonNull(name);
            Objects.requireNonNull(connection);
            Objects.requireNonNull(asking);
            Objects.requireNonNull(caching);
            Objects.requireNonNull(conditions);
        }
    }
}
