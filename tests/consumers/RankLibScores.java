// Scores a LETOR file with RankLib: RankLibScores MODEL DATA. Prints one score per line, in the file's order.
import ciir.umass.edu.features.FeatureManager;
import ciir.umass.edu.learning.DataPoint;
import ciir.umass.edu.learning.RankList;
import ciir.umass.edu.learning.Ranker;
import ciir.umass.edu.learning.RankerFactory;

public class RankLibScores {
  public static void main(String[] arguments) throws Exception {
    Ranker ranker = new RankerFactory().loadRankerFromFile(arguments[0]);
    StringBuilder out = new StringBuilder();
    for (RankList list : FeatureManager.readInput(arguments[1]))
      for (int i = 0; i < list.size(); ++i) {
        DataPoint document = list.get(i);
        out.append(ranker.eval(document)).append('\n');
      }
    java.nio.file.Files.writeString(java.nio.file.Path.of(arguments[2]), out);
  }
}
