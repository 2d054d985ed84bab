package io.boltshuffle.wire;

import java.util.List;

/**
 * Says where an executor keeps its shuffle files, as it would tell Spark's external shuffle service.
 *
 * @param application Spark's application id
 * @param executor Spark's executor id
 * @param localDirs absolute block manager directories
 * @param subDirsPerLocalDir {@code spark.diskStore.subDirectories}
 * @param shuffleManager class name, as the external shuffle service knows it
 * @param secret the application's; an agent refuses an executor without one
 * @param lastingFiles whether another file never takes the name of one of a map output: with Spark's old fetch
 *     protocol, attempts of a task share names
 */
public record Registration(
        String application,
        String executor,
        List<String> localDirs,
        int subDirsPerLocalDir,
        String shuffleManager,
        Secret secret,
        boolean lastingFiles) {

    /** Creates the registration of an executor that promises nothing of its files. */
    public Registration(
            String application,
            String executor,
            List<String> localDirs,
            int subDirsPerLocalDir,
            String shuffleManager,
            Secret secret) {
        this(application, executor, localDirs, subDirsPerLocalDir, shuffleManager, secret, /* lastingFiles= */ false);
    }

    void writeTo(WireWriter out) {
        out.text("application", application, WireLimits.MAX_NAME_BYTES);
        out.text("executor", executor, WireLimits.MAX_NAME_BYTES);
        out.list(
                "local dirs",
                localDirs,
                WireLimits.MAX_LOCAL_DIRS,
                (to, dir) -> to.text("local dir", dir, WireLimits.MAX_PATH_BYTES));
        out.number("sub dirs", subDirsPerLocalDir, WireLimits.MAX_SUB_DIRS);
        out.text("shuffle manager", shuffleManager, WireLimits.MAX_NAME_BYTES);
        out.bytes("secret", secret.bytes(), WireLimits.MAX_SECRET_BYTES);
        out.flag(lastingFiles);
    }

    static Registration read(WireReader in) throws WireException {
        return new Registration(
                in.name("application"),
                in.name("executor"),
                in.list(
                        "local dirs",
                        WireLimits.MAX_LOCAL_DIRS,
                        dir -> dir.text("local dir", WireLimits.MAX_PATH_BYTES)),
                in.count("sub dirs", WireLimits.MAX_SUB_DIRS),
                in.name("shuffle manager"),
                Secret.of(in.bytes("secret", WireLimits.MAX_SECRET_BYTES)),
                in.flag("lasting files"));
    }
}
