package io.plat.engine.webhook;

import io.plat.engine.Grant;

/** A remote decider's allow. Which rule it goes by is only known as far as it says so. */
record WebhookGrant(String source, String rule) implements Grant {
    @Override
    public String authorizer() {
        return "Webhook";
    }

    @Override
    public String reason() {
        return rule.isEmpty() ? "allowed by webhook " + source : rule;
    }
}
