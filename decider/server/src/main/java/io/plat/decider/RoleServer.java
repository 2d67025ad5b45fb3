package io.plat.decider;

import io.plat.engine.rbac.follow.RoleSource;
import io.plat.engine.rbac.index.CurrentRbac;
import io.plat.http.metrics.ServerMetrics;
import io.plat.http.process.Opened;
import io.plat.process.Currency;
import io.plat.review.clientconfig.ClientConfig;
import io.plat.review.clientconfig.ServerConnection;
import io.plat.review.source.Problem;
import io.plat.review.source.ProblemsException;
import io.plat.tls.ClientTls;
import io.plat.tls.pem.PemException;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * The API server whose role objects are the policy: from its client configuration file to what follows it.
 *
 * @param connection where it is
 * @param tls whom to trust and what to show
 */
record RoleServer(ServerConnection connection, ClientTls tls) {
    static final String FLAG = "--authorization-rbac-kubeconfig";

    /**
     * Reads the file; nothing is asked yet.
     *
     * @param opened gets what has to be closed
     * @throws ProblemsException with everything that keeps it from being used
     */
    static RoleServer open(Path config, ServerMetrics metrics, Opened opened, InstantSource clock)
            throws ProblemsException {
        ServerConnection connection = ClientConfig.read(config).resolve();
        if (connection.authorities() == null) {
            throw new ProblemsException(new Problem(
                    connection.where(),
                    "certificate-authority: required, the source of a policy is not verified by the system's"
                            + " authorities"));
        }
        try {
            return new RoleServer(
                    connection, opened.with(ClientTls.open(connection.tls(), metrics.certificateReloads(), clock)));
        } catch (PemException unusable) {
            throw new ProblemsException(new Problem(connection.where(), String.valueOf(unusable.getMessage())));
        }
    }

    /**
     * Begins to follow.
     *
     * @param followed is given the role objects
     * @param currency is confirmed whenever the server says that they are current
     * @param changed told of each change, to decide by it
     */
    RoleSource follow(CurrentRbac followed, Currency currency, Runnable changed) {
        RoleSource source = new RoleSource(connection, tls, followed, currency, changed);
        source.start();
        return source;
    }
}
