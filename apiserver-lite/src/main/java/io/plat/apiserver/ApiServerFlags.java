package io.plat.apiserver;

import io.plat.http.commandline.FlagSet;

/** The flags of the program, named as existing servers name them. */
final class ApiServerFlags {
    final ServingFlags serving;
    final AccountFlags accounts;
    final FrontProxyFlags frontProxies;
    final OidcFlags oidc;
    final StorageFlags storage;
    final AuthorizationFlags authorization;
    final RoleFlags roles;
    final AuditFlags audit;
    final InspectionFlags inspection;
    final PodLogFlags podLogs;
    final ServiceFlags services;
    private final FlagSet set;

    ApiServerFlags(String version) {
        set = new FlagSet(new FlagSet.Program(
                "apiserver-lite",
                version,
                "A light resource API server: objects over HTTPS, every request authorized."));
        set.command(CheckTool.NAME, CheckTool.HELP);
        set.command(BackupTool.NAME, BackupTool.HELP);
        set.command(RestoreTool.NAME, RestoreTool.HELP);
        set.command(MigrateTool.NAME, MigrateTool.HELP);
        serving = new ServingFlags(set);
        accounts = new AccountFlags(set);
        frontProxies = new FrontProxyFlags(set);
        oidc = new OidcFlags(set);
        storage = new StorageFlags(set);
        roles = new RoleFlags(set);
        authorization = new AuthorizationFlags(set);
        audit = new AuditFlags(set);
        inspection = new InspectionFlags(set);
        podLogs = new PodLogFlags(set);
        services = new ServiceFlags(set);
    }

    FlagSet set() {
        return set;
    }
}
