package io.plat.apiserver.etcd;

import io.plat.apiserver.storage.etcd.RemoteKeys;
import io.plat.apiserver.storage.etcd.RemoteProtocol;
import io.plat.apiserver.storage.etcd.RemoteSettings;
import java.util.logging.Level;
import java.util.logging.Logger;

/** etcd, with the third version of its interface. */
public final class EtcdProtocol implements RemoteProtocol {
    /** Held, as the level goes with it otherwise; what the library says without being asked is nothing an operator could use. */
    private static final Logger LIBRARY = Logger.getLogger("io.grpc");

    /** Made by the service loader. */
    public EtcdProtocol() {
        LIBRARY.setLevel(Level.WARNING);
    }

    @Override
    public String name() {
        return "etcd3";
    }

    @Override
    public RemoteKeys open(RemoteSettings settings) {
        return new EtcdKeys(EtcdMembers.open(settings), new EtcdNames(settings.prefix()));
    }
}
