package io.boltshuffle.integration.demo;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.history.FsHistoryProvider;
import org.apache.spark.deploy.history.HistoryServer;
import org.apache.spark.deploy.history.HistoryServer$;

/** The tab as Spark's web servers hand it out. */
public final class TabPages {
    private static final Duration LIMIT = Duration.ofMinutes(5);

    private TabPages() {}

    /** Settings under which an application has the tab and leaves a log for the history server. */
    public static SparkConf configure(SparkConf conf, Path eventLogs) {
        return conf.set("spark.ui.enabled", "true")
                .set("spark.ui.port", "0")
                .set("spark.plugins", "io.boltshuffle.spark.BoltShufflePlugin")
                .set("spark.eventLog.enabled", "true")
                .set("spark.eventLog.rolling.enabled", "false")
                .set("spark.eventLog.dir", eventLogs.toUri().toString());
    }

    /** The page of a running application, as soon as it is as expected. */
    public static String live(JavaSparkContext context, Predicate<String> expected) {
        String url = context.sc().uiWebUrl().get() + "/boltshuffle/";
        return await().atMost(LIMIT).until(() -> get(url).orElse(""), expected);
    }

    /** Returns what programs get from a running application at this moment. */
    public static String json(JavaSparkContext context) throws IOException, InterruptedException {
        return get(context.sc().uiWebUrl().get() + "/boltshuffle/json").orElse("");
    }

    /** The page of an application that has ended. */
    public static String afterwards(Path eventLogs, String application) {
        SparkConf conf = new SparkConf(false)
                .set("spark.history.fs.logDirectory", eventLogs.toUri().toString())
                .set("spark.history.fs.update.interval", "1s");
        FsHistoryProvider provider = new FsHistoryProvider(conf);
        HistoryServer server = new HistoryServer(conf, provider, HistoryServer$.MODULE$.createSecurityManager(conf), 0);
        server.bind();
        provider.start();
        try {
            return ofHistory("http://127.0.0.1:" + server.boundPort(), application);
        } finally {
            server.stop();
        }
    }

    /**
     * The page that a history server has of an application. It is asked for only when the application is listed: Spark
     * 4.1 never lists one that was asked for before.
     */
    static String ofHistory(String server, String application) {
        await().atMost(LIMIT)
                .ignoreExceptionsInstanceOf(
                        IOException.class) // it may not listen yet, or close what it accepted too early
                .until(() -> get(server + "/api/v1/applications").orElse("").contains(application));
        return await().atMost(LIMIT)
                .until(() -> get(server + "/history/" + application + "/boltshuffle/"), Optional::isPresent)
                .orElseThrow();
    }

    /** Returns what a web server answers, if it answers well. */
    public static Optional<String> get(String url) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
        HttpResponse<String> response =
                client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
        return response.statusCode() == 200 ? Optional.of(response.body()) : Optional.empty();
    }
}
