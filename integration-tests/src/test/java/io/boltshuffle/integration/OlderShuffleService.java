package io.boltshuffle.integration;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;

/**
 * The external shuffle service of Spark 3.5, in this process: its two jars come before the class path, which has all
 * that they need besides.
 */
final class OlderShuffleService implements Closeable {
    private static final Path JARS = Path.of("target", "older-shuffle-service");

    private final Jars jars = new Jars();
    private final Class<?> conf = jars.loadOwn("util.TransportConf");
    private final Class<?> handler = jars.loadOwn("server.RpcHandler");
    private final Class<?> blockHandler = jars.loadOwn("shuffle.ExternalBlockHandler");
    private final Class<?> transportContext = jars.loadOwn("TransportContext");
    private final Object settings;

    OlderShuffleService() throws IOException, ReflectiveOperationException {
        Class<?> provider = jars.loadOwn("util.ConfigProvider");
        Object none = jars.loadOwn("util.MapConfigProvider").getField("EMPTY").get(null);
        settings = conf.getConstructor(String.class, provider).newInstance("shuffle", none);
    }

    /** Starts it. */
    Closeable serve(String host, int port) throws ReflectiveOperationException {
        Object blocks = blockHandler.getConstructor(conf, File.class).newInstance(settings, null);
        Object context =
                transportContext.getConstructor(conf, handler, boolean.class).newInstance(settings, blocks, true);
        return (Closeable) transportContext
                .getMethod("createServer", String.class, int.class, List.class)
                .invoke(context, host, port, List.of());
    }

    /** It goes after the services. */
    @Override
    public void close() throws IOException {
        jars.close();
    }

    /** Looks into its jars before it asks its parent. */
    private static final class Jars extends URLClassLoader {
        Jars() throws IOException {
            super(
                    new URL[] {jar("spark-network-common.jar"), jar("spark-network-shuffle.jar")},
                    OlderShuffleService.class.getClassLoader());
        }

        private static URL jar(String name) throws MalformedURLException {
            return JARS.resolve(name).toUri().toURL();
        }

        /** Returns a class that must be in the jars. */
        Class<?> loadOwn(String name) throws ClassNotFoundException {
            Class<?> loaded = loadClass("org.apache.spark.network." + name);
            if (loaded.getClassLoader() != this) {
                throw new ClassNotFoundException(name + " is not in " + JARS);
            }
            return loaded;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                try {
                    return findClass(name);
                } catch (ClassNotFoundException e) {
                    return super.loadClass(name, resolve);
                }
            }
        }
    }
}
