package io.boltshuffle.integration.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/** A Spark program that shuffles in one process and prints its live tab: {@code TabProgram <event logs>}. */
public final class TabProgram {
    static final String APPLICATION = "application: ";

    private TabProgram() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Path eventLogs = Files.createDirectories(Path.of(arguments[0]));
        try (JavaSparkContext context = new JavaSparkContext(TabPages.configure(new SparkConf(), eventLogs))) {
            context.parallelize(List.of(1, 2, 3, 4), 4)
                    .mapToPair(number -> new Tuple2<>(number % 2, number))
                    .reduceByKey(Integer::sum, 2)
                    .collect();
            System.out.println(TabPages.live(context, page -> page.contains("RDMA share")));
            System.out.println(TabPages.json(context));
            System.out.println(APPLICATION + context.sc().applicationId());
        }
    }
}
