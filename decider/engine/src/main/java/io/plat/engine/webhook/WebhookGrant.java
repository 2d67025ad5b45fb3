package io.plat.engine.webhook;

import io.plat.engine.Grant;

/** A remote decider's allow. Which rule it goes by is only known as far as it says so. */
record WebhookGrant(String source, String rule) implements Grant {
    /** The name of the mode. */
    static final String MODE = "Webhook";

    @Override
    public String authorizer() {
        return MODE;
    }

    @Override
    public String maskedReason() {
        return "";
    }

    @Override
    public String reason() {
        return rule.isEmpty() ? "allowed by webhook " + source : rule;
    }
}
