package io.plat.decider;

import io.plat.engine.rbac.follow.RoleSource;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.process.OpenResources;
import io.plat.process.Freshness;
import io.plat.review.clientconfig.ClientConfig;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ClientTls;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * Connection to the API server whose role objects are the policy.
 *
 * @param connection its address and credentials
 * @param tls trusted CAs and client certificate
 */
record RoleServer(ServerConnection connection, ClientTls tls) {
    static final String FLAG = "--authorization-rbac-kubeconfig";

    /**
     * Reads the client configuration file without connecting.
     *
     * @param opened receives the parts to close
     * @throws ProblemsException with all problems of the file
     */
    static RoleServer open(Path config, ServerMetrics metrics, OpenResources opened, InstantSource clock)
            throws ProblemsException {
        ServerConnection connection = ClientConfig.read(config).resolve();
        if (connection.authorities() == null) {
            throw new ProblemsException(new Problem(
                    connection.where(),
                    "certificate-authority: required, the system's certificate authorities are not trusted for"
                            + " a policy"));
        }
        return new RoleServer(connection, opened.with(connection.openTls(metrics.certificateReloads(), clock)));
    }

    /**
     * Starts following the role objects.
     *
     * @param followed receives the role objects
     * @param freshness is confirmed whenever the server reports that they are current
     * @param changed called for each change
     */
    RoleSource follow(CurrentRbac followed, Freshness freshness, Runnable changed) {
        RoleSource source = new RoleSource(connection, tls, followed, freshness, changed);
        source.start();
        return source;
    }
}
