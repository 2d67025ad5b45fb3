package io.plat.apiserver.etcd;

import io.plat.apiserver.storage.etcd.RemoteKeys;
import io.plat.apiserver.storage.etcd.RemoteProtocol;
import io.plat.apiserver.storage.etcd.RemoteSettings;
import io.plat.apiserver.storage.etcd.RequestObserver;
import java.util.logging.Level;
import java.util.logging.Logger;

/** The etcd protocol, version 3. */
public final class EtcdProtocol implements RemoteProtocol {
    /** Held strongly, since loggers are garbage collected with their level; the library's log is of no use to operators. */
    private static final Logger LIBRARY = Logger.getLogger("io.grpc");

    /** Called by the service loader. */
    public EtcdProtocol() {
        LIBRARY.setLevel(Level.WARNING);
    }

    @Override
    public String name() {
        return "etcd3";
    }

    @Override
    public RemoteKeys open(RemoteSettings settings, RequestObserver observer) {
        return new EtcdKeys(new EtcdCalls(EtcdMembers.open(settings), observer), new EtcdNames(settings.prefix()));
    }
}
