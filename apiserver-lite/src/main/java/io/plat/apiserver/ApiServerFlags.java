package io.plat.apiserver;

import io.plat.http.authentication.oidc.OidcFlags;
import io.plat.http.commandline.FlagSet;

/** Flags of the program, with the names that kube-apiserver uses. */
final class ApiServerFlags {
    final ServingFlags serving;
    final AccountFlags accounts;
    final FrontProxyFlags frontProxies;
    final OidcFlags oidc;
    final StorageFlags storage;
    final AuthorizationFlags authorization;
    final AuditFlags audit;
    final InspectionFlags inspection;
    final ServiceFlags services;
    private final FlagSet set;

    ApiServerFlags(String version) {
        set = FlagSet.of(ApiServerFlags.class, "apiserver-lite", version);
        serving = new ServingFlags(set);
        accounts = new AccountFlags(set);
        frontProxies = new FrontProxyFlags(set);
        oidc = new OidcFlags(set);
        storage = new StorageFlags(set);
        authorization = new AuthorizationFlags(set);
        audit = new AuditFlags(set);
        inspection = new InspectionFlags(set);
        services = new ServiceFlags(set);
    }

    FlagSet set() {
        return set;
    }
}
