package com.example;

import io.plat.engine.plugin.AuthorizerPlugin;
import io.plat.engine.plugin.PluginDecision;
import io.plat.engine.plugin.RequestAttributes;

/** Allows every user all actions in the namespace {@code home-NAME} that bears their name, except on RBAC objects. */
public final class HomeNamespaces implements AuthorizerPlugin {
    private static final String ROLE_OBJECTS = "rbac.authorization.k8s.io";

    /** Called once by the server. */
    public HomeNamespaces() {}

    @Override
    public String name() {
        return "HomeNamespaces";
    }

    @Override
    public PluginDecision authorize(RequestAttributes request) {
        if (request.user().isEmpty() || !request.namespace().equals("home-" + request.user())) {
            return PluginDecision.refuse("not in the user's home");
        }
        return request.apiGroup().equals(ROLE_OBJECTS)
                ? PluginDecision.refuse("a home has no roles of its own")
                : PluginDecision.allow("namespace " + request.namespace() + " is the user's home");
    }
}
