package io.plat.engine.abac;

import io.plat.engine.Grant;

/** A policy line that allows a request. */
public record AbacGrant(AbacLine line) implements Grant {
    /** Maximum length of a line in a reason, in characters; a reason is sent with every response. */
    private static final int MAX_RULE = 1000;

    @Override
    public String authorizer() {
        return AbacAuthorizer.MODE;
    }

    @Override
    public String source() {
        return line.where().toString();
    }

    @Override
    public String rule() {
        return line.text();
    }

    @Override
    public String maskedReason() {
        return "ABAC: allowed by " + source();
    }

    @Override
    public String reason() {
        String rule = rule();
        return "ABAC: allowed by " + source() + ": "
                + (rule.length() > MAX_RULE ? rule.substring(0, MAX_RULE) + "…" : rule);
    }
}
