package io.plat.apiserver.authorization;

import io.plat.engine.webhook.CachingAuthorizer;
import io.plat.engine.webhook.WebhookAuthorizer;
import java.nio.file.Path;

/** Entry of the file: a named authorizer. */
sealed interface ConfiguredAuthorizer {
    /** Returns the name in messages and metrics. */
    String name();

    /**
     * Mode without further settings.
     *
     * @param type mode, as in {@code --authorization-mode}
     */
    record BuiltIn(String name, String type) implements ConfiguredAuthorizer {}

    /**
     * Webhook authorizer.
     *
     * @param asking API version and timeout
     * @param failsClosed whether its failure denies the request ({@code failurePolicy: Deny})
     * @param conditions requests that are sent to it
     */
    record Webhook(
            String name,
            Path connection,
            WebhookAuthorizer.Settings asking,
            CachingAuthorizer.Settings caching,
            boolean failsClosed,
            MatchConditions conditions)
            implements ConfiguredAuthorizer {}
}
