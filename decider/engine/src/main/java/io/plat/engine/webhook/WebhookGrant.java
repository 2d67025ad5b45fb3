package io.plat.engine.webhook;

import io.plat.engine.Grant;

/** A remote decider's allow. Its rule is only known if the decider sends it. */
record WebhookGrant(String source, String rule) implements Grant {
    @Override
    public String authorizer() {
        return WebhookAuthorizer.MODE;
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
