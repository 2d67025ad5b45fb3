package io.plat.decider;

import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.OpenResources;
import io.plat.http.process.ServerProgram;
import io.plat.http.process.StartException;
import java.io.IOException;
import java.util.List;

/** Program that runs a decider. */
final class DeciderProgram implements ServerProgram {
    private final String version;
    private final DeciderFlags flags;

    DeciderProgram(String version) {
        this.version = version;
        this.flags = new DeciderFlags(version);
    }

    @Override
    public FlagSet flags() {
        return flags.set();
    }

    @Override
    public Running start(FlagValues values) throws StartException {
        flags.listen.configureLog(values);
        OpenResources opened = new OpenResources();
        try {
            return start(new DeciderParts(flags, values, opened));
        } catch (StartException e) {
            opened.close();
            throw e;
        }
    }

    private Running start(DeciderParts parts) throws StartException {
        try {
            Running running = DeciderServer.start(parts, version);
            parts.followRemote();
            return running;
        } catch (IOException unusable) {
            throw new StartException(List.of("--bind-address, --secure-port: " + unusable.getMessage()));
        }
    }
}
