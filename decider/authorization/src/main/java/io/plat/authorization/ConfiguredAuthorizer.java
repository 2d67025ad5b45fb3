package io.plat.authorization;

import io.plat.engine.condition.RequestMatcher;
import io.plat.engine.webhook.WebhookAuthorizer;
import io.plat.engine.webhook.WebhookMode;
import org.jspecify.annotations.Nullable;

/** Entry of the file: a named authorizer. */
sealed interface ConfiguredAuthorizer {
    /** Returns the name in messages and metrics. */
    String name();

    /** Returns the type, as in the file. */
    String type();

    /**
     * Mode without other settings.
     *
     * @param type mode, as in {@code --authorization-mode}
     */
    record BuiltIn(String name, String type) implements ConfiguredAuthorizer {}

    /**
     * Webhook authorizer.
     *
     * @param options settings of its webhook
     * @param failsClosed whether its failure denies the request ({@code failurePolicy: Deny})
     * @param conditions requests that are sent to it; null for all
     */
    record Webhook(
            String name,
            WebhookMode.Options options,
            boolean failsClosed,
            @Nullable RequestMatcher conditions) implements ConfiguredAuthorizer {
        @Override
        public String type() {
            return WebhookAuthorizer.MODE;
        }
    }
}
