package io.plat.apiserver;

import io.plat.http.commandline.FlagSet;
import io.plat.http.commandline.FlagValues;
import io.plat.http.process.OpenResources;
import io.plat.http.process.ServerProgram;
import io.plat.http.process.StartException;

/** Program that runs an API server. */
final class ApiServerProgram implements ServerProgram {
    private final ApiServerFlags flags = new ApiServerFlags(ApiServer.version());
    private final ServerLimits limits;

    ApiServerProgram() {
        this(ServerLimits.DEFAULT);
    }

    /** Creates a program with custom limits, for tests. */
    ApiServerProgram(ServerLimits limits) {
        this.limits = limits;
    }

    @Override
    public FlagSet flags() {
        return flags.set();
    }

    @Override
    public Running start(FlagValues values) throws StartException {
        OpenResources opened = new OpenResources();
        try {
            return RunningServer.start(new ApiServerParts(flags, values, limits, opened));
        } catch (StartException refused) {
            opened.close();
            throw refused;
        }
    }
}
